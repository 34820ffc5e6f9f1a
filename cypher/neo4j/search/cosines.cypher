// The cosine with a unit vector of the nodes of a label with these ids: id, cosine; $ids, $vector.
UNWIND $ids AS key
MATCH (n:<Label> {id: key})
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, 2 * vector.similarity.cosine(n.embedding, $vector) - 1 AS cosine
