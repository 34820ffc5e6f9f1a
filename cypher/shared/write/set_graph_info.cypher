// Sets what the store knows of its graph; $id, $revision, $embedder, $dimensions, $schema_version.
MERGE (g:Graph {id: $id})
SET g.revision = $revision,
    g.embedder = $embedder,
    g.dimensions = $dimensions,
    g.schema_version = $schema_version
