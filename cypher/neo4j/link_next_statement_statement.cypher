// Returns nothing: NEXT from statements to statements; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Statement {id: row[0]})
MATCH (b:Statement {id: row[1]})
CREATE (a)-[:NEXT]->(b)
