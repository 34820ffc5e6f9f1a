// Adds RELATES_TO between entities and entities from the table $rows: from, to, predicate, weight.
COPY RELATES_TO FROM $rows
