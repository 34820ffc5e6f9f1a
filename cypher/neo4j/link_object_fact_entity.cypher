// Returns nothing: OBJECT from facts to entities, where it is not there yet; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Fact {id: row[0]})
MATCH (b:Entity {id: row[1]})
MERGE (a)-[:OBJECT]->(b)
