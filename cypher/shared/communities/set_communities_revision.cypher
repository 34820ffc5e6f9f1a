// Sets the revision at which the communities were found; $id, $revision.
MATCH (g:Graph {id: $id})
SET g.communities = $revision
