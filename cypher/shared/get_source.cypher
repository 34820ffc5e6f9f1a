// The sources with these ids, with all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:Source {id: key})
RETURN n.id AS id,
       n.uri AS uri,
       n.title AS title,
       n.metadata AS metadata,
       n.text_hash AS text_hash,
       n.ingested_at AS ingested_at
