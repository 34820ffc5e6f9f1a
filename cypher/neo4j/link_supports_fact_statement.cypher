// Returns nothing: SUPPORTS from facts to statements; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Fact {id: row[0]})
MATCH (b:Statement {id: row[1]})
CREATE (a)-[:SUPPORTS]->(b)
