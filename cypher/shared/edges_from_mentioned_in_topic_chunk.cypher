// MENTIONED_IN from the topics with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Topic {id: key})-[:MENTIONED_IN]->(b:Chunk)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
