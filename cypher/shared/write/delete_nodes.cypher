// Deletes the nodes of a label with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:<Label> {id: key})
DETACH DELETE n
