"""The things that a graph knows: which are the same, merged, split and shown."""
