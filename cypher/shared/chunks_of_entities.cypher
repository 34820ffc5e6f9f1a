// The chunks of the statements that mention these entities: entity, statement, chunk, ordinal; $ids.
UNWIND $ids AS key
MATCH (e:Entity {id: key})<-[:MENTIONS]-(s:Statement)-[:MENTIONED_IN]->(c:Chunk)
RETURN e.id AS entity, s.id AS statement, c.id AS chunk, c.ordinal AS ordinal
