// The statements with these ids and all that they rest on, as paths for Neo4j Browser: path; $ids.
MATCH (s:Statement)
WHERE s.id IN $ids
CALL (s) {
  MATCH path = (s)-[:MENTIONED_IN]->(:Chunk)-[:PART_OF]->(:Source)
  RETURN path
  UNION
  MATCH path = (s)-[:BELONGS_TO]->(:Topic)
  RETURN path
  UNION
  MATCH path = (s)-[:MENTIONS]->(:Entity)
  RETURN path
  UNION
  MATCH path = (s)<-[:SUPPORTS]-(:Fact)<-[:SUBJECT]-(:Entity)
  RETURN path
  UNION
  MATCH path = (s)<-[:SUPPORTS]-(:Fact)-[:OBJECT]->(:Entity)
  RETURN path
}
RETURN path
