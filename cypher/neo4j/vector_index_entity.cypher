// Returns nothing: the vector index over entities; $dimensions.
CREATE VECTOR INDEX entity_embedding IF NOT EXISTS
FOR (n:Entity) ON n.embedding
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
