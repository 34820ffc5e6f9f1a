// Returns nothing: the ids of the graph's own node are unique, and looked up fast.
CREATE CONSTRAINT graph_id IF NOT EXISTS
FOR (n:Graph) REQUIRE n.id IS UNIQUE
