// The $top_k nearest statements of topics: id, cosine, topic; $topics (ids), $vector.
UNWIND $topics AS key
MATCH (t:Topic {id: key})<-[:BELONGS_TO]-(s:Statement)
WHERE s.embedding IS NOT NULL
WITH s.id AS id, t.id AS topic, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
RETURN id, cosine, topic
ORDER BY cosine DESC, id
LIMIT $top_k
