// BELONGS_TO from the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Statement {id: key})
OPTIONAL MATCH (a)-[:BELONGS_TO]->(b:Topic)
WITH a, b
WHERE b.id IS NOT NULL
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
