// Adds MENTIONED_IN from topics to chunks; $rows: from, to.
LOAD FROM $rows
MATCH (a:Topic {id: `from`})
MATCH (b:Chunk {id: `to`})
CREATE (a)-[:MENTIONED_IN]->(b)
