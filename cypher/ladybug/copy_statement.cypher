// Adds statements from the table $rows.
COPY Statement FROM $rows
