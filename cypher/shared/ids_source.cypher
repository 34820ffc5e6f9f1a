// The ids of all sources, ascending: id.
MATCH (n:Source)
RETURN n.id AS id
ORDER BY id
