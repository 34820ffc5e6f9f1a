// The names of the topics of these statements: id, topic; $ids.
UNWIND $ids AS key
MATCH (s:Statement {id: key})-[:BELONGS_TO]->(t:Topic)
RETURN s.id AS id, t.name AS topic
