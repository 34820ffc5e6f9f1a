// PART_OF from the communities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Community {id: key})
OPTIONAL MATCH (a)-[:PART_OF]->(b:Community)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
