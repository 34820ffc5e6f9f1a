"""What dense search weighs beside BM25, learned a question at a time (thesis §3.3.3)."""
