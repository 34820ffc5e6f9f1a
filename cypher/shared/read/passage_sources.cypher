// Sources of these chunks, and their parents: id, source, uri, title, metadata, parent; $ids.
UNWIND $ids AS key
MATCH (c:Chunk {id: key})
OPTIONAL MATCH (c)-[:PART_OF]->(s:Source)
OPTIONAL MATCH (c)-[:CHILD_OF]->(p:Chunk)
WITH c, s, p
WHERE s.id IS NOT NULL
RETURN c.id AS id, s.id AS source, s.uri AS uri, s.title AS title,
       s.metadata AS metadata, p.id AS parent
