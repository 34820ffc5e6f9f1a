// Returns nothing: creates nodes of a label; $rows: the properties.
UNWIND $rows AS row
CREATE (:<Label> {<properties: name: row.name>})
