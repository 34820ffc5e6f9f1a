// The nodes of an index whose text matches a Lucene query: id, score; $index, $query, $candidates, $top_k.
CALL db.index.fulltext.queryNodes($index, $query, {limit: $candidates})
YIELD node, score
RETURN node.id AS id, score
ORDER BY score DESC, id
LIMIT $top_k
