// Adds RELATES_TO from entities to entities; $rows: from, to, predicate, weight, confidence.
LOAD FROM $rows
MATCH (a:Entity {id: `from`})
MATCH (b:Entity {id: `to`})
CREATE (a)-[:RELATES_TO {predicate: predicate, weight: weight, confidence: confidence}]->(b)
