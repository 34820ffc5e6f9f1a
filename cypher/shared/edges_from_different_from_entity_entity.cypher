// DIFFERENT_FROM from the entities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})-[:DIFFERENT_FROM]->(b:Entity)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
