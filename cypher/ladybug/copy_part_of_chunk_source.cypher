// Adds PART_OF between chunks and sources from the table $rows: from, to.
COPY PART_OF FROM $rows (from='Chunk', to='Source')
