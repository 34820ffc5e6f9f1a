// Returns nothing: drops the vector index over communities, whose dimensions may be other ones.
DROP INDEX community_embedding IF EXISTS
