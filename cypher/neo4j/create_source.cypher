// Returns nothing: creates sources, which belong to one source; $rows: the properties.
UNWIND $rows AS row
CREATE (:Source {
  id: row.id,
  uri: row.uri,
  title: row.title,
  metadata: row.metadata,
  text_hash: row.text_hash,
  ingested_at: row.ingested_at
})
