// Returns nothing: adds DIFFERENT_FROM between entities; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})
MATCH (b:Entity {id: row[1]})
CREATE (a)-[:DIFFERENT_FROM]->(b)
