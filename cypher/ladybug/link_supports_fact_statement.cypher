// Adds SUPPORTS from facts to statements; $rows: from, to.
LOAD FROM $rows
MATCH (a:Fact {id: `from`})
MATCH (b:Statement {id: `to`})
CREATE (a)-[:SUPPORTS]->(b)
