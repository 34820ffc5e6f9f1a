"""Extraction by a language model: two prompts a chunk, or one for the local statements."""
