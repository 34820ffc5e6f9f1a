// All SAME_AS, ordered: from, to, score, evidence.
MATCH (a:Entity)-[r:SAME_AS]->(b:Entity)
RETURN a.id AS `from`, b.id AS `to`, r.score AS score, r.evidence AS evidence
ORDER BY `from`, `to`
