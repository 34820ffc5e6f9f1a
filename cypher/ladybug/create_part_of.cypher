// The table of PART_OF relationships.
CREATE REL TABLE IF NOT EXISTS PART_OF(FROM Chunk TO Source, FROM Community TO Community)
