// The chunks of the statements that mention these entities: entity, statement, chunk, ordinal; $ids.
UNWIND $ids AS key
MATCH (e:Entity {id: key})
OPTIONAL MATCH (e)<-[:MENTIONS]-(s:Statement)-[:MENTIONED_IN]->(c:Chunk)
WITH e, s, c
WHERE c.id IS NOT NULL
RETURN e.id AS entity, s.id AS statement, c.id AS chunk, c.ordinal AS ordinal
