// Returns nothing: adds nodes of a label from the table $rows, one column a property.
LOAD FROM $rows
CREATE (:<Label> {<columns: name: name>})
