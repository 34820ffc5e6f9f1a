// Deletes the relations from these entities that no statement supports any more; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})-[r:RELATES_TO]->(:Entity)
WHERE r.weight <= 0
DELETE r
