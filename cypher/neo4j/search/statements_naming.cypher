// The $top_k statements that mention entities of most groups, ties by cosine: id, keywords, cosine; $groups (keyword, ids), $vector.
UNWIND $groups AS group
UNWIND group.ids AS key
MATCH (e:Entity {id: key})<-[:MENTIONS]-(s:Statement)
WHERE s.embedding IS NOT NULL
WITH s, count(DISTINCT group.keyword) AS keywords
WITH s.id AS id, keywords, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
RETURN id, keywords, cosine
ORDER BY keywords DESC, cosine DESC, id
LIMIT $top_k
