// BELONGS_TO from the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Statement {id: key})-[:BELONGS_TO]->(b:Topic)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
