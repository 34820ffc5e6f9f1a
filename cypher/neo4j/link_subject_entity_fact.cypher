// Returns nothing: SUBJECT from entities to facts, where it is not there yet; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})
MATCH (b:Fact {id: row[1]})
MERGE (a)-[:SUBJECT]->(b)
