// The $limit communities nearest to a unit vector, of $level and childless ones above it, or of all where it is negative: id, score; $vector.
MATCH (n:Community)
WHERE n.embedding IS NOT NULL
  AND ($level < 0 OR n.level = $level
       OR (n.level < $level AND NOT EXISTS { MATCH (n)<-[:PART_OF]-(:Community) }))
RETURN n.id AS id, array_cosine_similarity(n.embedding, $vector) AS score
ORDER BY score DESC, id
LIMIT $limit
