// IN_COMMUNITY from the entities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})-[:IN_COMMUNITY]->(b:Community)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
