// The table of SAME_AS relationships.
CREATE REL TABLE IF NOT EXISTS SAME_AS(FROM Entity TO Entity, score DOUBLE, evidence STRING)
