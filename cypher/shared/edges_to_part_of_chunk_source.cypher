// PART_OF from chunks to the sources with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Chunk)-[:PART_OF]->(b:Source {id: key})
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
