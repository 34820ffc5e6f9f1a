// Adds BELONGS_TO from statements to topics; $rows: from, to.
LOAD FROM $rows
MATCH (a:Statement {id: `from`})
MATCH (b:Topic {id: `to`})
CREATE (a)-[:BELONGS_TO]->(b)
