// The table of SUPPORTS relationships.
CREATE REL TABLE IF NOT EXISTS SUPPORTS(FROM Fact TO Statement)
