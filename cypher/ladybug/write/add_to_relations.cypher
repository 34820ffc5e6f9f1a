// Adds to the weight of relations, and raises their confidence; $rows: subject, relation, target, added, surest.
LOAD FROM $rows
MATCH (a:Entity {id: subject})-[r:RELATES_TO]->(b:Entity {id: target})
WHERE r.predicate = relation
SET r.weight = r.weight + added,
    r.confidence = CASE WHEN surest > r.confidence THEN surest ELSE r.confidence END
