// The ids of all entities, ascending: id.
MATCH (n:Entity)
RETURN n.id AS id
ORDER BY id
