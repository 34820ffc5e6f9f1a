// Returns nothing: PART_OF from chunks to sources; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Chunk {id: row[0]})
MATCH (b:Source {id: row[1]})
CREATE (a)-[:PART_OF]->(b)
