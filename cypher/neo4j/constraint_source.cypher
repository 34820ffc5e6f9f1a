// Returns nothing: the ids of sources are unique, and looked up fast.
CREATE CONSTRAINT source_id IF NOT EXISTS
FOR (n:Source) REQUIRE n.id IS UNIQUE
