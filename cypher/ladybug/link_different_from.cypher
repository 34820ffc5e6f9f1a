// Adds DIFFERENT_FROM between entities; $rows: from, to.
LOAD FROM $rows
MATCH (a:Entity {id: `from`})
MATCH (b:Entity {id: `to`})
CREATE (a)-[:DIFFERENT_FROM]->(b)
