// The embeddings of the nodes of a label with these ids: id, embedding; $ids.
UNWIND $ids AS key
MATCH (n:<Label> {id: key})
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, n.embedding AS embedding
