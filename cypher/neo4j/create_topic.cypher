// Returns nothing: creates topics, which belong to one source; $rows: the properties.
UNWIND $rows AS row
CREATE (:Topic {
  id: row.id,
  name: row.name
})
