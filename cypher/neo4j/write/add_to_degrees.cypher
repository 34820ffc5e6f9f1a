// Returns nothing: adds to the degree of entities; $rows: [entity, added].
UNWIND $rows AS row
MATCH (e:Entity {id: row[0]})
SET e.degree = e.degree + row[1]
