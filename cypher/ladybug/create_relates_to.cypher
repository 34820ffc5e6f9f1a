// The table of RELATES_TO relationships.
CREATE REL TABLE IF NOT EXISTS RELATES_TO(FROM Entity TO Entity, predicate STRING, weight INT64)
