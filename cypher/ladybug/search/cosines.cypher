// The cosine with a unit vector of the nodes of a label with these ids: id, cosine; $ids, $vector.
UNWIND $ids AS key
MATCH (n:<Label> {id: key})
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, array_cosine_similarity(n.embedding, $vector) AS cosine
