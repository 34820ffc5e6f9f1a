// The ids of all chunks, ascending: id.
MATCH (n:Chunk)
RETURN n.id AS id
ORDER BY id
