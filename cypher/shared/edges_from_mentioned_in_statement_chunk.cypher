// MENTIONED_IN from the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Statement {id: key})
OPTIONAL MATCH (a)-[:MENTIONED_IN]->(b:Chunk)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
