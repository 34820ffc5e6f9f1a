// Adds chunks from the table $rows.
COPY Chunk FROM $rows
