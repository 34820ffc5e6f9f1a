// All RELATES_TO: source, target, weight.
MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
RETURN a.id AS source, b.id AS target, r.weight AS weight
