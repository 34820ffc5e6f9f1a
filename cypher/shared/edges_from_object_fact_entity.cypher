// OBJECT from the facts with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Fact {id: key})
OPTIONAL MATCH (a)-[:OBJECT]->(b:Entity)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
