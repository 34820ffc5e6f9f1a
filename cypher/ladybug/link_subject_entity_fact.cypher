// Adds SUBJECT from entities to facts; $rows: from, to.
LOAD FROM $rows
MATCH (a:Entity {id: `from`})
MATCH (b:Fact {id: `to`})
CREATE (a)-[:SUBJECT]->(b)
