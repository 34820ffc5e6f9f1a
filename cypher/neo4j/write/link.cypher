// Returns nothing: adds relationships of a type; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:<From> {id: row[0]})
MATCH (b:<To> {id: row[1]})
CREATE (a)-[:<TYPE>]->(b)
