// Returns nothing: the table of a type of relationships.
CREATE REL TABLE IF NOT EXISTS <TYPE>(<definition>)
