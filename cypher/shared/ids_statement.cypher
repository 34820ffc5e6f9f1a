// The ids of all statements, ascending: id.
MATCH (n:Statement)
RETURN n.id AS id
ORDER BY id
