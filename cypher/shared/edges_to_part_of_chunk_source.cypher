// PART_OF from chunks to the sources with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (b:Source {id: key})
OPTIONAL MATCH (a:Chunk)-[:PART_OF]->(b)
WITH a, b
WHERE a.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
