// Returns nothing: adds to the weight of relations, which are made where missing, and raises their confidence; $rows: [subject, predicate, object, added, surest].
UNWIND $rows AS row
MATCH (a:Entity {id: row[0]})
MATCH (b:Entity {id: row[2]})
MERGE (a)-[r:RELATES_TO {predicate: row[1]}]->(b)
ON CREATE SET r.weight = row[3],
              r.confidence = row[4]
ON MATCH SET r.weight = r.weight + row[3],
             r.confidence = CASE WHEN row[4] > r.confidence THEN row[4] ELSE r.confidence END
