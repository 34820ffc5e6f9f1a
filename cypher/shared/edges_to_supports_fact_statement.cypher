// SUPPORTS from facts to the statements with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Fact)-[:SUPPORTS]->(b:Statement {id: key})
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
