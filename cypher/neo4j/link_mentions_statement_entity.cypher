// Returns nothing: MENTIONS from statements to entities; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Statement {id: row[0]})
MATCH (b:Entity {id: row[1]})
CREATE (a)-[:MENTIONS]->(b)
