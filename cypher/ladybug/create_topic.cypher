// The table of topics, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Topic AS
LOAD FROM $rows
RETURN id, name, embedding
