// Returns nothing: the vector index over statements; $dimensions.
CREATE VECTOR INDEX statement_embedding IF NOT EXISTS
FOR (n:Statement) ON n.embedding
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
