// The chunks of these statements, in their order in the source: id, chunk; $ids.
UNWIND $ids AS key
MATCH (s:Statement {id: key})
OPTIONAL MATCH (s)-[:MENTIONED_IN]->(c:Chunk)
WITH s, c
WHERE c.id IS NOT NULL
RETURN s.id AS id, c.id AS chunk
ORDER BY id, c.ordinal
