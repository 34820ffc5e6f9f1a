// What continues paths over shared entities: path, id, via, cosine with the question, product with the path; $paths (path, end, members: id, weight), $vector, $seen, $max_degree, $max_neighbours; with $texts also text and details.
UNWIND $paths AS walked
CALL (walked) {
  MATCH (:Statement {id: walked.end})-[:MENTIONS]->(mentioned:Entity)
  WITH DISTINCT mentioned.key AS key
  MATCH (entity:Entity {key: key})
  WITH key, entity
  ORDER BY EXISTS { (entity)-[:SAME_AS]->() }, entity.degree DESC, entity.id
  WITH key, collect(entity) AS entities, sum(entity.degree) AS degree
  WHERE degree <= $max_degree
  WITH key, entities[0].name AS name, degree, entities
  UNWIND entities AS entity
  MATCH (entity)<-[:MENTIONS]-(next:Statement)
  WHERE next.embedding IS NOT NULL AND NOT next.id IN $seen
  WITH DISTINCT next, key, name, degree
  ORDER BY degree, key
  WITH next, collect(name) AS names
  WITH next, names[0] AS via, size(names) AS shared,
       2 * vector.similarity.cosine(next.embedding, $vector) - 1 AS cosine
  ORDER BY shared DESC, cosine DESC, next.id
  LIMIT $max_neighbours
  RETURN next, via, cosine
}
UNWIND walked.members AS member
MATCH (s:Statement {id: member.id})
WITH walked.path AS path, next, via, cosine,
     sum(member.weight * (2 * vector.similarity.cosine(next.embedding, s.embedding) - 1)) AS product
RETURN path, next.id AS id, via, cosine, product,
       CASE WHEN $texts THEN next.text ELSE '' END AS text,
       CASE WHEN $texts THEN next.details ELSE '' END AS details
