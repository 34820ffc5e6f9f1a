// The table of statements, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Statement AS
LOAD FROM $rows
RETURN id, text, details, `start`, `end`, embedding
