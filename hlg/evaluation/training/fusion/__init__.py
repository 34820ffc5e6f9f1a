"""Learning what dense search weighs beside BM25 (thesis §3.3.3): questions, targets, models."""
