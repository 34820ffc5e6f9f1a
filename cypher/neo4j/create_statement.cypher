// Returns nothing: creates statements, which belong to one source; $rows: the properties.
UNWIND $rows AS row
CREATE (:Statement {
  id: row.id,
  text: row.text,
  details: row.details,
  `start`: row.`start`,
  `end`: row.`end`
})
