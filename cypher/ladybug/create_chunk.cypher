// The table of chunks, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Chunk AS
LOAD FROM $rows
RETURN id, ordinal, `start`, `end`, text, context, embedding
