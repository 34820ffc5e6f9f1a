// Adds topics from the table $rows.
COPY Topic FROM $rows
