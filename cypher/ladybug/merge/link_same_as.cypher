// Adds SAME_AS from entities to their canonical ones; $rows: from, to, score, evidence.
LOAD FROM $rows
MATCH (a:Entity {id: `from`})
MATCH (b:Entity {id: `to`})
CREATE (a)-[:SAME_AS {score: score, evidence: evidence}]->(b)
