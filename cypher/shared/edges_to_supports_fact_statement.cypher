// SUPPORTS from facts to the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (b:Statement {id: key})
OPTIONAL MATCH (a:Fact)-[:SUPPORTS]->(b)
WITH a, b
WHERE a.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
