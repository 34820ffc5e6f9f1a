// Returns nothing: gives statements their vectors, where they have none; $rows: [id, vector].
UNWIND $rows AS row
MATCH (n:Statement {id: row[0]})
WHERE n.embedding IS NULL
CALL db.create.setNodeVectorProperty(n, 'embedding', row[1])
