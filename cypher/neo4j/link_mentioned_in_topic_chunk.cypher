// Returns nothing: MENTIONED_IN from topics to chunks; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Topic {id: row[0]})
MATCH (b:Chunk {id: row[1]})
CREATE (a)-[:MENTIONED_IN]->(b)
