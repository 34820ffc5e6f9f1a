// Returns nothing: gives chunks their vectors, where they have none; $rows: [id, vector].
UNWIND $rows AS row
MATCH (n:Chunk {id: row[0]})
WHERE n.embedding IS NULL
CALL db.create.setNodeVectorProperty(n, 'embedding', row[1])
