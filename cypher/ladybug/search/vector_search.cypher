// The $limit nodes of a label nearest to a unit vector by exact cosine: id, score; $vector.
MATCH (n:<Label>)
WHERE n.embedding IS NOT NULL
RETURN n.id AS id, array_cosine_similarity(n.embedding, $vector) AS score
ORDER BY score DESC, id
LIMIT $limit
