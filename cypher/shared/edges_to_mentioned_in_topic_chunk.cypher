// MENTIONED_IN from topics to the chunks with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Topic)-[:MENTIONED_IN]->(b:Chunk {id: key})
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
