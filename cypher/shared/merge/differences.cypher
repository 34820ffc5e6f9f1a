// All DIFFERENT_FROM, ordered: from, to.
MATCH (a:Entity)-[:DIFFERENT_FROM]->(b:Entity)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
