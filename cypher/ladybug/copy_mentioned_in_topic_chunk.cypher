// Adds MENTIONED_IN between topics and chunks from the table $rows: from, to.
COPY MENTIONED_IN FROM $rows (from='Topic', to='Chunk')
