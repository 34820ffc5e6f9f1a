// Returns nothing: the index over normalised names.
CREATE INDEX entity_key IF NOT EXISTS
FOR (n:Entity) ON (n.key)
