// Returns nothing: drops the vector index over topics, whose dimensions may be other ones.
DROP INDEX topic_embedding IF EXISTS
