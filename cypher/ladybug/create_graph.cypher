// The table of what the store knows of its graph, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Graph AS
LOAD FROM $rows
RETURN id, revision, embedder, dimensions, schema_version, communities
