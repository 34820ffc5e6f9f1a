// All RELATES_TO, a row for each entity that they come from: source, targets, weights times confidences.
MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
RETURN a.id AS source, collect(b.id) AS targets, collect(r.weight * r.confidence) AS weights
