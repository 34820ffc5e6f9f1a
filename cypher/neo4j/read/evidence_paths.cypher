// The statements with these ids and all that they rest on, as paths for Neo4j Browser: path; $ids, $min_confidence.
MATCH (s:Statement)
WHERE s.id IN $ids
CALL (s) {
  MATCH path = (s)-[:MENTIONED_IN]->(:Chunk)-[:PART_OF]->(:Source)
  RETURN path
  UNION
  MATCH path = (s)-[:BELONGS_TO]->(:Topic)
  RETURN path
  UNION
  MATCH path = (s)-[:MENTIONS]->(e:Entity)
  WHERE e.confidence >= $min_confidence
  RETURN path
  UNION
  MATCH path = (s)<-[:SUPPORTS]-(f:Fact)<-[:SUBJECT]-(:Entity)
  WHERE f.confidence >= $min_confidence
  RETURN path
  UNION
  MATCH path = (s)<-[:SUPPORTS]-(f:Fact)-[:OBJECT]->(:Entity)
  WHERE f.confidence >= $min_confidence
  RETURN path
}
RETURN path
