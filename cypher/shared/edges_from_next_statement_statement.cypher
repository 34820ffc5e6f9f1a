// NEXT from the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Statement {id: key})-[:NEXT]->(b:Statement)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
