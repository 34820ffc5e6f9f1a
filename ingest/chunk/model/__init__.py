"""Chunking that asks a language model (thesis §3.1.4)."""
