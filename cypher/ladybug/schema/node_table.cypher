// Returns nothing: the table of a label, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS <Label> AS
LOAD FROM $rows
RETURN <columns: name>
