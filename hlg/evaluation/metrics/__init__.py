"""Metrics, each for one question, and how sure their means are."""
