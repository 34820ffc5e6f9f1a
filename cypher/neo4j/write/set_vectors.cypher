// Returns nothing: gives nodes of a label their vectors, where they have none; $rows: [id, vector].
UNWIND $rows AS row
MATCH (n:<Label> {id: row[0]})
WHERE n.embedding IS NULL
CALL db.create.setNodeVectorProperty(n, 'embedding', row[1])
