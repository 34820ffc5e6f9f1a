// SUPPORTS from the facts with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Fact {id: key})-[:SUPPORTS]->(b:Statement)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
