// The statements with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Statement {id: key})
RETURN n.id AS id,
       n.text AS text,
       n.details AS details,
       n.`start` AS `start`,
       n.`end` AS `end`
