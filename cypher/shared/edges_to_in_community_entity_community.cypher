// IN_COMMUNITY from entities to the communities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Entity)-[:IN_COMMUNITY]->(b:Community {id: key})
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
