// Returns nothing: adds relationships of a type; $rows: from, to.
LOAD FROM $rows
MATCH (a:<From> {id: `from`})
MATCH (b:<To> {id: `to`})
CREATE (a)-[:<TYPE>]->(b)
