// The statements of these sources in the order of their text: source, statement; $ids.
UNWIND $ids AS key
MATCH (d:Source {id: key})<-[:PART_OF]-(:Chunk)<-[:MENTIONED_IN]-(s:Statement)
WITH DISTINCT d.id AS source, s.id AS statement, s.`start` AS first, s.`end` AS last
RETURN source, statement
ORDER BY source, first, last, statement
