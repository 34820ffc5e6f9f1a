// Which of these entities no statement mentions and no fact names any more: id; $ids.
UNWIND $ids AS key
MATCH (e:Entity {id: key})
WHERE NOT EXISTS { MATCH (e)<-[:MENTIONS]-(:Statement) }
  AND NOT EXISTS { MATCH (e)-[:SUBJECT]->(:Fact) }
  AND NOT EXISTS { MATCH (e)<-[:OBJECT]-(:Fact) }
RETURN e.id AS id
