// Adds to what an older file knows of its graph the column that it lacks.
ALTER TABLE Graph ADD IF NOT EXISTS communities STRING
