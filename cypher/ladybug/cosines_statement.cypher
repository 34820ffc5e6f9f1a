// The cosine of statements and a unit vector: id, cosine; $ids, $vector.
UNWIND $ids AS key
MATCH (n:Statement {id: key})
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, array_cosine_similarity(n.embedding, $vector) AS cosine
