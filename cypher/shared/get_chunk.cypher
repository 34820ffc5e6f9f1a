// The chunks with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Chunk {id: key})
RETURN n.id AS id,
       n.ordinal AS ordinal,
       n.`start` AS `start`,
       n.`end` AS `end`,
       n.text AS text,
       n.context AS context
