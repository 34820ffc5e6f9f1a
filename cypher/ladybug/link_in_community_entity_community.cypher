// Adds IN_COMMUNITY from entities to communities; $rows: from, to.
LOAD FROM $rows
MATCH (a:Entity {id: `from`})
MATCH (b:Community {id: `to`})
CREATE (a)-[:IN_COMMUNITY]->(b)
