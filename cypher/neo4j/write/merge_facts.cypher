// Creates the facts that there are not yet, else raises their confidence; of those that another wording came first of, the properties; $rows: the properties.
UNWIND $rows AS row
MERGE (f:Fact {id: row.id})
ON CREATE SET f.text = row.text,
              f.predicate = row.predicate,
              f.`object` = row.`object`,
              f.confidence = row.confidence,
              f.polarity = row.polarity,
              f.modality = row.modality,
              f.condition = row.condition,
              f.attributed_to = row.attributed_to,
              f.time = row.time
ON MATCH SET f.confidence = CASE WHEN row.confidence > f.confidence THEN row.confidence ELSE f.confidence END
WITH f, row
WHERE f.predicate <> row.predicate
   OR f.modality <> row.modality
   OR f.condition <> row.condition
   OR f.attributed_to <> row.attributed_to
RETURN f.id AS id, f.predicate AS predicate, f.modality AS modality,
       f.condition AS condition, f.attributed_to AS attributed_to
