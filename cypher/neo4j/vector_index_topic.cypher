// Returns nothing: the vector index over topics; $dimensions.
CREATE VECTOR INDEX topic_embedding IF NOT EXISTS
FOR (n:Topic) ON n.embedding
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}
