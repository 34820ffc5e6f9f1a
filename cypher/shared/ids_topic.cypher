// The ids of all topics, ascending: id.
MATCH (n:Topic)
RETURN n.id AS id
ORDER BY id
