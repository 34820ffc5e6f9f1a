// What these entities relate to, either way round: from, to, weight times confidence; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})
OPTIONAL MATCH (a)-[r:RELATES_TO]-(b:Entity)
WITH a, r, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`, sum(r.weight * r.confidence) AS weight
