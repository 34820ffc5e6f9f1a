"""Retrieval: search, expand, fuse, rerank, diversify, map back, serialize."""
