// Returns nothing: adds relationships of a type, where they are not there yet; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:<From> {id: row[0]})
MATCH (b:<To> {id: row[1]})
MERGE (a)-[:<TYPE>]->(b)
