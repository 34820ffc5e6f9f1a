// Adds to the degree of entities; $rows: id, added.
LOAD FROM $rows
MATCH (e:Entity {id: id})
SET e.degree = e.degree + added
