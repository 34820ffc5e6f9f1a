// Returns nothing: the ids of a label's nodes are unique, and looked up fast.
CREATE CONSTRAINT <label>_id IF NOT EXISTS
FOR (n:<Label>) REQUIRE n.id IS UNIQUE
