// Adds entities from the table $rows.
COPY Entity FROM $rows
