// The revision at which the communities were found, one row; $id.
MATCH (g:Graph {id: $id})
RETURN g.communities AS revision
