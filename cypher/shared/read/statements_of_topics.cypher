// The statements of these topics, ordered: topic, statement; $ids.
UNWIND $ids AS key
MATCH (t:Topic {id: key})
OPTIONAL MATCH (t)<-[:BELONGS_TO]-(s:Statement)
WITH t, s
WHERE s.id IS NOT NULL
RETURN t.id AS topic, s.id AS statement
ORDER BY topic, statement
