// The statements of these topics, ordered: topic, statement; $ids.
UNWIND $ids AS key
MATCH (t:Topic {id: key})<-[:BELONGS_TO]-(s:Statement)
RETURN t.id AS topic, s.id AS statement
ORDER BY topic, statement
