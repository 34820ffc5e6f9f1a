// The table of CHILD_OF relationships.
CREATE REL TABLE IF NOT EXISTS CHILD_OF(FROM Chunk TO Chunk)
