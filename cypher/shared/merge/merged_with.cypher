// The entities that these are merged with: id, other; $ids.
UNWIND $ids AS key
MATCH (n:Entity {id: key})
OPTIONAL MATCH (n)-[:SAME_AS]->(c:Entity)
WITH n, c
WHERE c.id IS NOT NULL
RETURN n.id AS id, c.id AS other
UNION
UNWIND $ids AS key
MATCH (n:Entity {id: key})<-[:SAME_AS]-(m:Entity)
RETURN n.id AS id, m.id AS other
UNION
UNWIND $ids AS key
MATCH (n:Entity {id: key})-[:SAME_AS]->(:Entity)<-[:SAME_AS]-(m:Entity)
RETURN n.id AS id, m.id AS other
