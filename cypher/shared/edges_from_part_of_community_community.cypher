// PART_OF from the communities with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Community {id: key})-[:PART_OF]->(b:Community)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
