// Adds MENTIONS from statements to entities; $rows: from, to.
LOAD FROM $rows
MATCH (a:Statement {id: `from`})
MATCH (b:Entity {id: `to`})
CREATE (a)-[:MENTIONS]->(b)
