// Deletes the chunks with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:Chunk {id: key})
DETACH DELETE n
