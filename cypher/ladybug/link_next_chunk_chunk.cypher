// Adds NEXT from chunks to chunks; $rows: from, to.
LOAD FROM $rows
MATCH (a:Chunk {id: `from`})
MATCH (b:Chunk {id: `to`})
CREATE (a)-[:NEXT]->(b)
