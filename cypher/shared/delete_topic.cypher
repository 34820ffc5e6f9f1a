// Deletes the topics with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:Topic {id: key})
DETACH DELETE n
