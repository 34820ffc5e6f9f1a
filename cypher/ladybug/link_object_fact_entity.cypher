// Adds OBJECT from facts to entities; $rows: from, to.
LOAD FROM $rows
MATCH (a:Fact {id: `from`})
MATCH (b:Entity {id: `to`})
CREATE (a)-[:OBJECT]->(b)
