// The table of MENTIONED_IN relationships.
CREATE REL TABLE IF NOT EXISTS MENTIONED_IN(FROM Topic TO Chunk, FROM Statement TO Chunk)
