// Adds MENTIONED_IN between statements and chunks from the table $rows: from, to.
COPY MENTIONED_IN FROM $rows (from='Statement', to='Chunk')
