// Relationships of a type from the nodes with these ids, ordered: from, to, the type's properties; $ids.
UNWIND $ids AS key
MATCH (a:<From> {id: key})
OPTIONAL MATCH (a)-[r:<TYPE>]->(b:<To>)
WITH a, r, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`, <properties: r.name AS name>
ORDER BY `from`, `to`
