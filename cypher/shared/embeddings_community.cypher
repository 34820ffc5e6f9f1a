// The embeddings of the communities with these ids: id, embedding; $ids.
UNWIND $ids AS key
MATCH (n:Community {id: key})
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, n.embedding AS embedding
