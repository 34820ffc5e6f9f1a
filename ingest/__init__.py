"""Ingest: load, chunk, extract, resolve, embed, write."""
