// Returns nothing: MENTIONED_IN from statements to chunks; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Statement {id: row[0]})
MATCH (b:Chunk {id: row[1]})
CREATE (a)-[:MENTIONED_IN]->(b)
