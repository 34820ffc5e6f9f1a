// The facts of these subjects with each of their statements: subject, name, object, fact, statement, confidence; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})
OPTIONAL MATCH (a)-[:SUBJECT]->(f:Fact)-[:SUPPORTS]->(s:Statement)
WITH a, f, s
WHERE s.id IS NOT NULL
OPTIONAL MATCH (f)-[:OBJECT]->(b:Entity)
RETURN a.id AS subject, a.name AS name, b.id AS object, f.id AS fact,
       s.id AS statement, f.confidence AS confidence
