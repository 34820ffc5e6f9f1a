// Returns nothing: the ids of chunks are unique, and looked up fast.
CREATE CONSTRAINT chunk_id IF NOT EXISTS
FOR (n:Chunk) REQUIRE n.id IS UNIQUE
