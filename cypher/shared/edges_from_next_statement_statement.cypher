// NEXT from the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Statement {id: key})
OPTIONAL MATCH (a)-[:NEXT]->(b:Statement)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
