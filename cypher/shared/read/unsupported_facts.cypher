// Which of these facts no statement supports any more: id; $ids.
UNWIND $ids AS key
MATCH (f:Fact {id: key})
WHERE NOT EXISTS { MATCH (f)-[:SUPPORTS]->(:Statement) }
RETURN f.id AS id
