// Creates the facts that there are not yet; of others, those with another predicate: id, predicate; $rows: the properties.
UNWIND $rows AS row
MERGE (f:Fact {id: row.id})
ON CREATE SET f.text = row.text,
              f.predicate = row.predicate,
              f.`object` = row.`object`
WITH f, row
WHERE f.predicate <> row.predicate
RETURN f.id AS id, f.predicate AS predicate
