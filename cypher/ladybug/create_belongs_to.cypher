// The table of BELONGS_TO relationships.
CREATE REL TABLE IF NOT EXISTS BELONGS_TO(FROM Statement TO Topic)
