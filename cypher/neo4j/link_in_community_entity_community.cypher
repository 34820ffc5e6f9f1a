// Returns nothing: IN_COMMUNITY from entities to communities; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})
MATCH (b:Community {id: row[1]})
CREATE (a)-[:IN_COMMUNITY]->(b)
