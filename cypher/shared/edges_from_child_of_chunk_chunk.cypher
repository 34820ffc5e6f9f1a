// CHILD_OF from the chunks with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Chunk {id: key})-[:CHILD_OF]->(b:Chunk)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
