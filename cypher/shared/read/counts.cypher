// How many nodes of each label and relationships of each type between two labels there are: name, total.
MATCH (n:Source)
WITH count(n) AS total
RETURN 'Source' AS name, total
UNION ALL
MATCH (n:Chunk)
WITH count(n) AS total
RETURN 'Chunk' AS name, total
UNION ALL
MATCH (n:Topic)
WITH count(n) AS total
RETURN 'Topic' AS name, total
UNION ALL
MATCH (n:Statement)
WITH count(n) AS total
RETURN 'Statement' AS name, total
UNION ALL
MATCH (n:Fact)
WITH count(n) AS total
RETURN 'Fact' AS name, total
UNION ALL
MATCH (n:Entity)
WITH count(n) AS total
RETURN 'Entity' AS name, total
UNION ALL
MATCH (n:Community)
WITH count(n) AS total
RETURN 'Community' AS name, total
UNION ALL
MATCH (:Chunk)-[r:PART_OF]->()
WITH count(r) AS total
RETURN 'PART_OF' AS name, total
UNION ALL
MATCH (:Community)-[r:PART_OF]->()
WITH count(r) AS total
RETURN 'PART_OF' AS name, total
UNION ALL
MATCH (:Chunk)-[r:NEXT]->()
WITH count(r) AS total
RETURN 'NEXT' AS name, total
UNION ALL
MATCH (:Statement)-[r:NEXT]->()
WITH count(r) AS total
RETURN 'NEXT' AS name, total
UNION ALL
MATCH (:Chunk)-[r:CHILD_OF]->()
WITH count(r) AS total
RETURN 'CHILD_OF' AS name, total
UNION ALL
MATCH (:Topic)-[r:MENTIONED_IN]->()
WITH count(r) AS total
RETURN 'MENTIONED_IN' AS name, total
UNION ALL
MATCH (:Statement)-[r:MENTIONED_IN]->()
WITH count(r) AS total
RETURN 'MENTIONED_IN' AS name, total
UNION ALL
MATCH (:Statement)-[r:BELONGS_TO]->()
WITH count(r) AS total
RETURN 'BELONGS_TO' AS name, total
UNION ALL
MATCH (:Fact)-[r:SUPPORTS]->()
WITH count(r) AS total
RETURN 'SUPPORTS' AS name, total
UNION ALL
MATCH (:Entity)-[r:SUBJECT]->()
WITH count(r) AS total
RETURN 'SUBJECT' AS name, total
UNION ALL
MATCH (:Fact)-[r:OBJECT]->()
WITH count(r) AS total
RETURN 'OBJECT' AS name, total
UNION ALL
MATCH (:Entity)-[r:RELATES_TO]->()
WITH count(r) AS total
RETURN 'RELATES_TO' AS name, total
UNION ALL
MATCH (:Statement)-[r:MENTIONS]->()
WITH count(r) AS total
RETURN 'MENTIONS' AS name, total
UNION ALL
MATCH (:Entity)-[r:IN_COMMUNITY]->()
WITH count(r) AS total
RETURN 'IN_COMMUNITY' AS name, total
