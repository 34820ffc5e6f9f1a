// Returns nothing: adds SAME_AS from entities to their canonical ones; $rows: [from, to, score, evidence].
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})
MATCH (b:Entity {id: row[1]})
CREATE (a)-[:SAME_AS {score: row[2], evidence: row[3]}]->(b)
