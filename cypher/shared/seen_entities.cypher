// The entities with these ids, and the name of the one that each is merged into: the properties but the embedding, canonical; $ids.
UNWIND $ids AS key
MATCH (n:Entity {id: key})
OPTIONAL MATCH (n)-[:SAME_AS]->(c:Entity)
RETURN n.id AS id,
       n.name AS name,
       n.`class` AS `class`,
       n.aliases AS aliases,
       n.degree AS degree,
       c.name AS canonical
