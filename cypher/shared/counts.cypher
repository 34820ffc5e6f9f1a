// How many nodes of each label and relationships of each type between two labels there are: name, total.
MATCH (n:Source)
RETURN 'Source' AS name, count(*) AS total
UNION ALL
MATCH (n:Chunk)
RETURN 'Chunk' AS name, count(*) AS total
UNION ALL
MATCH (n:Topic)
RETURN 'Topic' AS name, count(*) AS total
UNION ALL
MATCH (n:Statement)
RETURN 'Statement' AS name, count(*) AS total
UNION ALL
MATCH (n:Fact)
RETURN 'Fact' AS name, count(*) AS total
UNION ALL
MATCH (n:Entity)
RETURN 'Entity' AS name, count(*) AS total
UNION ALL
MATCH (n:Community)
RETURN 'Community' AS name, count(*) AS total
UNION ALL
MATCH (:Chunk)-[r:PART_OF]->()
RETURN 'PART_OF' AS name, count(*) AS total
UNION ALL
MATCH (:Community)-[r:PART_OF]->()
RETURN 'PART_OF' AS name, count(*) AS total
UNION ALL
MATCH (:Chunk)-[r:NEXT]->()
RETURN 'NEXT' AS name, count(*) AS total
UNION ALL
MATCH (:Statement)-[r:NEXT]->()
RETURN 'NEXT' AS name, count(*) AS total
UNION ALL
MATCH (:Chunk)-[r:CHILD_OF]->()
RETURN 'CHILD_OF' AS name, count(*) AS total
UNION ALL
MATCH (:Topic)-[r:MENTIONED_IN]->()
RETURN 'MENTIONED_IN' AS name, count(*) AS total
UNION ALL
MATCH (:Statement)-[r:MENTIONED_IN]->()
RETURN 'MENTIONED_IN' AS name, count(*) AS total
UNION ALL
MATCH (:Statement)-[r:BELONGS_TO]->()
RETURN 'BELONGS_TO' AS name, count(*) AS total
UNION ALL
MATCH (:Fact)-[r:SUPPORTS]->()
RETURN 'SUPPORTS' AS name, count(*) AS total
UNION ALL
MATCH (:Entity)-[r:SUBJECT]->()
RETURN 'SUBJECT' AS name, count(*) AS total
UNION ALL
MATCH (:Fact)-[r:OBJECT]->()
RETURN 'OBJECT' AS name, count(*) AS total
UNION ALL
MATCH (:Entity)-[r:RELATES_TO]->()
RETURN 'RELATES_TO' AS name, count(*) AS total
UNION ALL
MATCH (:Statement)-[r:MENTIONS]->()
RETURN 'MENTIONS' AS name, count(*) AS total
UNION ALL
MATCH (:Entity)-[r:IN_COMMUNITY]->()
RETURN 'IN_COMMUNITY' AS name, count(*) AS total
