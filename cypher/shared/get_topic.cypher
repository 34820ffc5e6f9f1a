// The topics with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Topic {id: key})
RETURN n.id AS id,
       n.name AS name
