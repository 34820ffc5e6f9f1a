// Adds CHILD_OF between chunks and chunks from the table $rows: from, to.
COPY CHILD_OF FROM $rows
