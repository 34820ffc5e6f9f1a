"""The store of a Neo4j server."""
