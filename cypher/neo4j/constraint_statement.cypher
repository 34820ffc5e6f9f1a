// Returns nothing: the ids of statements are unique, and looked up fast.
CREATE CONSTRAINT statement_id IF NOT EXISTS
FOR (n:Statement) REQUIRE n.id IS UNIQUE
