"""A Neo4j Community server of one's own, from jars, started and stopped without Docker."""
