// The entities with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Entity {id: key})
RETURN n.id AS id,
       n.name AS name,
       n.`class` AS `class`,
       n.aliases AS aliases,
       n.degree AS degree
