// The statements that mention these entities, ordered: entity, statement; $ids.
UNWIND $ids AS key
MATCH (e:Entity {id: key})<-[:MENTIONS]-(s:Statement)
RETURN e.id AS entity, s.id AS statement
ORDER BY entity, statement
