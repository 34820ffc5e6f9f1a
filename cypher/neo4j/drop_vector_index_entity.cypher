// Returns nothing: drops the vector index over entities, whose dimensions may be other ones.
DROP INDEX entity_embedding IF EXISTS
