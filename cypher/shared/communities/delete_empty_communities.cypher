// Deletes the communities that have no member any more, and their relationships.
MATCH (c:Community)
WHERE NOT EXISTS { MATCH (c)<-[:IN_COMMUNITY]-(:Entity) }
DETACH DELETE c
