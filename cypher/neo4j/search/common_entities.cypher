// The entities of statements that more than $max_degree statements mention, by name: name, degree; $ids.
UNWIND $ids AS key
MATCH (:Statement {id: key})-[:MENTIONS]->(mentioned:Entity)
WITH DISTINCT mentioned.key AS name_key
MATCH (entity:Entity {key: name_key})
WITH name_key, entity
ORDER BY EXISTS { (entity)-[:SAME_AS]->() }, entity.degree DESC, entity.id
WITH name_key, collect(entity.name) AS names, sum(entity.degree) AS degree
WHERE degree > $max_degree
RETURN names[0] AS name, degree
ORDER BY degree DESC, name
