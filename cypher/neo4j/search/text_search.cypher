// The $candidates nodes of an index that match a Lucene query best: id, score, has_parts; $index, $query.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $candidates})
YIELD node, score
RETURN node.id AS id, score, EXISTS { (node)<-[:CHILD_OF]-() } AS has_parts
ORDER BY score DESC, id
