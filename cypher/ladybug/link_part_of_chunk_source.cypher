// Adds PART_OF from chunks to sources; $rows: from, to.
LOAD FROM $rows
MATCH (a:Chunk {id: `from`})
MATCH (b:Source {id: `to`})
CREATE (a)-[:PART_OF]->(b)
