// Returns nothing: the vector index over communities; $dimensions.
CREATE VECTOR INDEX community_embedding IF NOT EXISTS
FOR (n:Community) ON n.embedding
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
