// MENTIONED_IN from topics to the chunks with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (b:Chunk {id: key})
OPTIONAL MATCH (a:Topic)-[:MENTIONED_IN]->(b)
WITH a, b
WHERE a.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
