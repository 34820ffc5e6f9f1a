// Removes DIFFERENT_FROM between entities; $rows: from, to.
LOAD FROM $rows
MATCH (a:Entity {id: `from`})-[r:DIFFERENT_FROM]->(b:Entity {id: `to`})
DELETE r
