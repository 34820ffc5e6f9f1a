// Adds NEXT from statements to statements; $rows: from, to.
LOAD FROM $rows
MATCH (a:Statement {id: `from`})
MATCH (b:Statement {id: `to`})
CREATE (a)-[:NEXT]->(b)
