"""How a retriever sees the graph: over arrays or over a store."""
