// Deletes the statements with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:Statement {id: key})
DETACH DELETE n
