// Adds SUBJECT between entities and facts from the table $rows: from, to.
COPY SUBJECT FROM $rows
