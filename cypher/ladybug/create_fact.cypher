// The table of facts, typed by the columns of the empty table $rows.
CREATE NODE TABLE IF NOT EXISTS Fact AS
LOAD FROM $rows
RETURN id, text, predicate, `object`
