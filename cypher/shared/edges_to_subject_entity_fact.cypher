// SUBJECT from entities to the facts with these ids, ordered: from, to; $ids.
UNWIND $ids AS key
MATCH (a:Entity)-[:SUBJECT]->(b:Fact {id: key})
RETURN a.id AS `from`, b.id AS `to`
ORDER BY `from`, `to`
