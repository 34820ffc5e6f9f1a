// The graph's own node, which nobody else can change until this transaction ends: revision; $id.
MATCH (g:Graph {id: $id})
SET g.revision = g.revision
RETURN g.revision AS revision
