// Returns nothing: drops the vector index over statements, whose dimensions may be other ones.
DROP INDEX statement_embedding IF EXISTS
