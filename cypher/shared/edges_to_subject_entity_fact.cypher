// SUBJECT from entities to the facts with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (b:Fact {id: key})
OPTIONAL MATCH (a:Entity)-[:SUBJECT]->(b)
WITH a, b
WHERE a.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
