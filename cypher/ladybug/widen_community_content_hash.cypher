// Adds to the communities of an older file the column that it lacks.
ALTER TABLE Community ADD IF NOT EXISTS content_hash STRING
