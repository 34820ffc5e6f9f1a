// Which of these relations there are: subject, predicate, target; $rows: subject, relation, target.
LOAD FROM $rows
MATCH (a:Entity {id: subject})-[r:RELATES_TO]->(b:Entity {id: target})
WHERE r.predicate = relation
RETURN subject, relation, target, r.weight AS weight
