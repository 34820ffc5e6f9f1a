// Sets a property of nodes of a label; $rows: key, given.
LOAD FROM $rows
MATCH (n:<Label> {id: key})
SET n.<property> = given
