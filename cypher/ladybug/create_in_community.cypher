// The table of IN_COMMUNITY relationships.
CREATE REL TABLE IF NOT EXISTS IN_COMMUNITY(FROM Entity TO Community)
