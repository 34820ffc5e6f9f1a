// OBJECT from the facts with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Fact {id: key})-[:OBJECT]->(b:Entity)
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
