// RELATES_TO from the entities with these ids, ordered: from, to, predicate, weight; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})
OPTIONAL MATCH (a)-[r:RELATES_TO]->(b:Entity)
WITH a, r, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`, r.predicate AS predicate, r.weight AS weight
ORDER BY `from`, `to`, predicate
