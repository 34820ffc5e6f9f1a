// The names of the topics of these statements: id, topic; $ids.
UNWIND $ids AS key
MATCH (s:Statement {id: key})
OPTIONAL MATCH (s)-[:BELONGS_TO]->(t:Topic)
WITH s, t
WHERE t.id IS NOT NULL
RETURN s.id AS id, t.name AS topic
