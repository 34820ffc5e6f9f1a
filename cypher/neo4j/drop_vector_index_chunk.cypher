// Returns nothing: drops the vector index over chunks, whose dimensions may be other ones.
DROP INDEX chunk_embedding IF EXISTS
