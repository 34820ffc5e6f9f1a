"""Extractors: from chunks to statements, topics, entities and facts."""
