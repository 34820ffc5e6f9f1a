// Returns nothing: the ids of topics are unique, and looked up fast.
CREATE CONSTRAINT topic_id IF NOT EXISTS
FOR (n:Topic) REQUIRE n.id IS UNIQUE
