// Returns nothing: creates chunks, which belong to one source; $rows: the properties.
UNWIND $rows AS row
CREATE (:Chunk {
  id: row.id,
  ordinal: row.ordinal,
  `start`: row.`start`,
  `end`: row.`end`,
  text: row.text,
  context: row.context
})
