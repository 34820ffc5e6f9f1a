// Returns nothing: creates entities, or adds to the degree of those there are, and raises their confidence; $rows: the properties.
UNWIND $rows AS row
MERGE (e:Entity {id: row.id})
ON CREATE SET e.name = row.name,
              e.`class` = row.`class`,
              e.aliases = row.aliases,
              e.degree = row.degree,
              e.confidence = row.confidence,
              e.key = row.key,
              e.alias_keys = row.alias_keys
ON MATCH SET e.degree = e.degree + row.degree,
             e.confidence = CASE WHEN row.confidence > e.confidence THEN row.confidence ELSE e.confidence END
