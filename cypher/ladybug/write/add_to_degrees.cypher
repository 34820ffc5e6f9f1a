// Adds to the degree of entities; $rows: from (an entity), to (what is added).
LOAD FROM $rows
MATCH (e:Entity {id: `from`})
SET e.degree = e.degree + `to`
