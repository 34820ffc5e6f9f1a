// Deletes all communities and their relationships.
MATCH (c:Community)
DETACH DELETE c
