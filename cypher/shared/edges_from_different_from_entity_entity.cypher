// DIFFERENT_FROM from the entities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})
OPTIONAL MATCH (a)-[:DIFFERENT_FROM]->(b:Entity)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
