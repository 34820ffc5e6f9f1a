// Returns nothing: adds to a label's table of an older file the column that it lacks.
ALTER TABLE <Label> ADD IF NOT EXISTS <property> <type>
