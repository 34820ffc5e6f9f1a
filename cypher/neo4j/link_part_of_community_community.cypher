// Returns nothing: PART_OF from communities to communities; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Community {id: row[0]})
MATCH (b:Community {id: row[1]})
CREATE (a)-[:PART_OF]->(b)
