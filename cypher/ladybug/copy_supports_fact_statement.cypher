// Adds SUPPORTS between facts and statements from the table $rows: from, to.
COPY SUPPORTS FROM $rows
