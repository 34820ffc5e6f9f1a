// Returns nothing: drops the vector index over a label, whose dimensions may be other ones.
DROP INDEX <label>_embedding IF EXISTS
