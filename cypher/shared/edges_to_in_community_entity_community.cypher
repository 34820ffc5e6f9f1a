// IN_COMMUNITY from entities to the communities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (b:Community {id: key})
OPTIONAL MATCH (a:Entity)-[:IN_COMMUNITY]->(b)
WITH a, b
WHERE a.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
