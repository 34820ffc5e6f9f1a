// Moves the revision of the graph; $id, $revision.
MATCH (g:Graph {id: $id})
SET g.revision = $revision
