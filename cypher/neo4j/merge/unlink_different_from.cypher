// Returns nothing: removes DIFFERENT_FROM between entities; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})-[r:DIFFERENT_FROM]->(b:Entity {id: row[1]})
DELETE r
