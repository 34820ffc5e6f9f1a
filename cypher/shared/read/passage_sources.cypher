// The sources of these chunks: id, source, uri, title; $ids.
UNWIND $ids AS key
MATCH (c:Chunk {id: key})
OPTIONAL MATCH (c)-[:PART_OF]->(s:Source)
WITH c, s
WHERE s.id IS NOT NULL
RETURN c.id AS id, s.id AS source, s.uri AS uri, s.title AS title
