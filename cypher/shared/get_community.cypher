// The communities with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Community {id: key})
RETURN n.id AS id,
       n.level AS level,
       n.title AS title,
       n.summary AS summary,
       n.size AS size,
       n.content_hash AS content_hash
