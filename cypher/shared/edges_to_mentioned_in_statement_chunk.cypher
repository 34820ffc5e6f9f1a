// MENTIONED_IN from statements to the chunks with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Statement)-[:MENTIONED_IN]->(b:Chunk {id: key})
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
