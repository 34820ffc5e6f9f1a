// The ids of all facts, ascending: id.
MATCH (n:Fact)
RETURN n.id AS id
ORDER BY id
