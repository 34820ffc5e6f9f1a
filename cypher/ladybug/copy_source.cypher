// Adds sources from the table $rows.
COPY Source FROM $rows
