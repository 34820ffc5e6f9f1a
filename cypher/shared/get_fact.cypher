// The facts with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Fact {id: key})
RETURN n.id AS id,
       n.text AS text,
       n.predicate AS predicate,
       n.`object` AS `object`
