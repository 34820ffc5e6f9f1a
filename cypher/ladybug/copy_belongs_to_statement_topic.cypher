// Adds BELONGS_TO between statements and topics from the table $rows: from, to.
COPY BELONGS_TO FROM $rows
