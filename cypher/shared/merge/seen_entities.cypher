// The entities with these ids, and the name of the one that each is merged into: the properties but the embedding, canonical; $ids.
UNWIND $ids AS key
MATCH (n:<Label> {id: key})
OPTIONAL MATCH (n)-[:SAME_AS]->(c:Entity)
RETURN <properties: n.name AS name>, c.name AS canonical
