// The sources of these chunks: id, source, uri, title; $ids.
UNWIND $ids AS key
MATCH (c:Chunk {id: key})-[:PART_OF]->(s:Source)
RETURN c.id AS id, s.id AS source, s.uri AS uri, s.title AS title
