// Returns nothing: the ids of facts are unique, and looked up fast.
CREATE CONSTRAINT fact_id IF NOT EXISTS
FOR (n:Fact) REQUIRE n.id IS UNIQUE
