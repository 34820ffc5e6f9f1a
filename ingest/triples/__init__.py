"""Predefined graphs: triples that exist already."""
