// The table of SUBJECT relationships.
CREATE REL TABLE IF NOT EXISTS SUBJECT(FROM Entity TO Fact)
