"""Models: embedders, rerankers, language models."""
