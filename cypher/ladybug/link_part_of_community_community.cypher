// Adds PART_OF from communities to communities; $rows: from, to.
LOAD FROM $rows
MATCH (a:Community {id: `from`})
MATCH (b:Community {id: `to`})
CREATE (a)-[:PART_OF]->(b)
