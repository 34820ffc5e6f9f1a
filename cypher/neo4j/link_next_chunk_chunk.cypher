// Returns nothing: NEXT from chunks to chunks; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Chunk {id: row[0]})
MATCH (b:Chunk {id: row[1]})
CREATE (a)-[:NEXT]->(b)
