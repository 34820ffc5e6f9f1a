// The table of NEXT relationships.
CREATE REL TABLE IF NOT EXISTS NEXT(FROM Chunk TO Chunk, FROM Statement TO Statement)
