// Returns nothing: the vector index over a label; $dimensions.
CREATE VECTOR INDEX <label>_embedding IF NOT EXISTS
FOR (n:<Label>) ON n.embedding
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
