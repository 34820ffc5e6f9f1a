// Returns nothing: creates communities; $rows: the properties.
UNWIND $rows AS row
CREATE (:Community {
  id: row.id,
  level: row.level,
  title: row.title,
  summary: row.summary,
  size: row.size,
  content_hash: row.content_hash
})
