"""Communities of entities and their summaries."""
