// Returns nothing: the ids of entities are unique, and looked up fast.
CREATE CONSTRAINT entity_id IF NOT EXISTS
FOR (n:Entity) REQUIRE n.id IS UNIQUE
