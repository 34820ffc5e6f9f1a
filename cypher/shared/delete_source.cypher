// Deletes the sources with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:Source {id: key})
DETACH DELETE n
