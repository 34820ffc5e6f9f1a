// The table of MENTIONS relationships.
CREATE REL TABLE IF NOT EXISTS MENTIONS(FROM Statement TO Entity)
