// Returns nothing: the full-text index over the words of chunks.
CREATE FULLTEXT INDEX chunk_text IF NOT EXISTS
FOR (n:Chunk) ON EACH [n.context, n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
