// Deletes the entities with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:Entity {id: key})
DETACH DELETE n
