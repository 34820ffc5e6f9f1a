// The ids of all communities, ascending: id.
MATCH (n:Community)
RETURN n.id AS id
ORDER BY id
