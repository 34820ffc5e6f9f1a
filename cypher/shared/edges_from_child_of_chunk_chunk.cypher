// CHILD_OF from the chunks with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Chunk {id: key})
OPTIONAL MATCH (a)-[:CHILD_OF]->(b:Chunk)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
