// All RELATES_TO: source, target, weight times confidence.
MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
RETURN a.id AS source, b.id AS target, r.weight * r.confidence AS weight
