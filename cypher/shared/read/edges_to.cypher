// Relationships of a type to the nodes with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (b:<To> {id: key})
OPTIONAL MATCH (a:<From>)-[:<TYPE>]->(b)
WITH a, b
WHERE a.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
