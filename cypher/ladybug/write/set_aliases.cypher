// Sets the aliases of entities; $rows: key, united.
LOAD FROM $rows
MATCH (e:Entity {id: key})
SET e.aliases = united
