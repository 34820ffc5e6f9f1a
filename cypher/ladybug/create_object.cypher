// The table of OBJECT relationships.
CREATE REL TABLE IF NOT EXISTS OBJECT(FROM Fact TO Entity)
