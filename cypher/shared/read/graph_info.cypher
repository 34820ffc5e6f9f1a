// What the store knows of its graph, one row; $id.
MATCH (g:Graph {id: $id})
RETURN g.revision AS revision, g.embedder AS embedder, g.dimensions AS dimensions, g.schema_version AS schema_version
