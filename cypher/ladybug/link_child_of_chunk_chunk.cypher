// Adds CHILD_OF from chunks to chunks; $rows: from, to.
LOAD FROM $rows
MATCH (a:Chunk {id: `from`})
MATCH (b:Chunk {id: `to`})
CREATE (a)-[:CHILD_OF]->(b)
