// What these entities relate to, either way round: from, to, weight; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})-[r:RELATES_TO]-(b:Entity)
RETURN a.id AS `from`, b.id AS `to`, sum(r.weight) AS weight
