// The statements that mention these entities, ordered: entity, statement; $ids.
UNWIND $ids AS key
MATCH (e:Entity {id: key})
OPTIONAL MATCH (e)<-[:MENTIONS]-(s:Statement)
WITH e, s
WHERE s.id IS NOT NULL
RETURN e.id AS entity, s.id AS statement
ORDER BY entity, statement
