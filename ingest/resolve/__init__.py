"""Entities that are the same across sources."""
