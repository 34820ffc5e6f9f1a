// The ids of all nodes of a label, ascending: id.
MATCH (n:<Label>)
RETURN n.id AS id
ORDER BY id
