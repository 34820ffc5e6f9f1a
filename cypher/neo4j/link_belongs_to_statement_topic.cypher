// Returns nothing: BELONGS_TO from statements to topics; $rows: [from, to].
UNWIND $rows AS row
MATCH (a:Statement {id: row[0]})
MATCH (b:Topic {id: row[1]})
CREATE (a)-[:BELONGS_TO]->(b)
