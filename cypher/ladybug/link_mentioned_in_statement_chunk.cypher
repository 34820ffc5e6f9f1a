// Adds MENTIONED_IN from statements to chunks; $rows: from, to.
LOAD FROM $rows
MATCH (a:Statement {id: `from`})
MATCH (b:Chunk {id: `to`})
CREATE (a)-[:MENTIONED_IN]->(b)
