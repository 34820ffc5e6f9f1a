// RELATES_TO between the entities with these ids, ordered: from, to, predicate, weight, confidence; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})-[r:RELATES_TO]->(b:Entity)
WHERE b.id IN $ids
RETURN a.id AS `from`, b.id AS `to`, r.predicate AS predicate,
       r.weight AS weight, r.confidence AS confidence
ORDER BY `from`, `to`, predicate
