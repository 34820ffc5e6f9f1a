// The embeddings of the entities with these ids: id, embedding; $ids.
UNWIND $ids AS key
MATCH (n:Entity {id: key})
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, n.embedding AS embedding
