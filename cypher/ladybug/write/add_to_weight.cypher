// Adds to the weight of relations; $rows: subject, relation, target, added.
LOAD FROM $rows
MATCH (a:Entity {id: subject})-[r:RELATES_TO]->(b:Entity {id: target})
WHERE r.predicate = relation
SET r.weight = r.weight + added
