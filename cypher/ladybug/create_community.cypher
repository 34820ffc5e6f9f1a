// The table of communities, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Community AS
LOAD FROM $rows
RETURN id, level, title, summary, size, content_hash, embedding
