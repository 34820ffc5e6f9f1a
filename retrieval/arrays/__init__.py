"""The graph as arrays: a read-only snapshot, mapped from disk."""
