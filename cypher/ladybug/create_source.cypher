// The table of sources, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Source AS
LOAD FROM $rows
RETURN id, uri, title, metadata, text_hash, ingested_at
