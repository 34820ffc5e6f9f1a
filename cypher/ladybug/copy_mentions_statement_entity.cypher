// Adds MENTIONS between statements and entities from the table $rows: from, to.
COPY MENTIONS FROM $rows
