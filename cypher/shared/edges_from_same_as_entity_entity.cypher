// SAME_AS from the entities with these ids, ordered: from, to, score, evidence; $ids.
UNWIND $ids AS key
MATCH (a:Entity {id: key})
OPTIONAL MATCH (a)-[r:SAME_AS]->(b:Entity)
WITH a, r, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`, r.score AS score, r.evidence AS evidence
ORDER BY `from`, `to`
