// Deletes the facts with these ids and their relationships; $ids.
UNWIND $ids AS key
MATCH (n:Fact {id: key})
DETACH DELETE n
