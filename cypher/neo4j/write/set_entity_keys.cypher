// Returns nothing: sets the keys under which entities are found; $rows: [id, key, alias_keys].
UNWIND $rows AS row
MATCH (e:Entity {id: row[0]})
SET e.key = row[1], e.alias_keys = row[2]
