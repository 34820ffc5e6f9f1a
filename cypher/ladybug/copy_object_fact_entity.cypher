// Adds OBJECT between facts and entities from the table $rows: from, to.
COPY OBJECT FROM $rows
