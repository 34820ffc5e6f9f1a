// Returns nothing: the ids of communities are unique, and looked up fast.
CREATE CONSTRAINT community_id IF NOT EXISTS
FOR (n:Community) REQUIRE n.id IS UNIQUE
