// Relationships of a type from the nodes with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:<From> {id: key})
OPTIONAL MATCH (a)-[:<TYPE>]->(b:<To>)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
