// The table of entities, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Entity AS
LOAD FROM $rows
RETURN id, name, `class`, aliases, degree, embedding
