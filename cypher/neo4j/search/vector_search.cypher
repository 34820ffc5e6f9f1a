// The nodes of an index nearest to a vector, rescored by exact cosine: id, score; $index, $candidates, $vector, $top_k.
CALL db.index.vector.queryNodes($index, $candidates, $vector)
YIELD node
WITH node.id AS id, 2 * vector.similarity.cosine(node.embedding, $vector) - 1 AS score
RETURN id, score
ORDER BY score DESC, id
LIMIT $top_k
