// Adds NEXT between chunks and chunks from the table $rows: from, to.
COPY NEXT FROM $rows (from='Chunk', to='Chunk')
