// Removes SAME_AS from the entities with these ids; $ids.
UNWIND $ids AS key
MATCH (n:Entity {id: key})-[r:SAME_AS]->(:Entity)
DELETE r
