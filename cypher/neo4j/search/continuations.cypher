// What continues paths over shared entities, in one row: steps (path, id, via, cosine with the question, product with the path, text and details with $texts), common (name, degree of the entities of more than $max_degree); $paths (path: its place, beam, end, members: id, weight; along, square, score), $vector, $seen (by all beams), $seen_by (beam), $max_neighbours, $limit (of a beam). Each vector is read once; of unit vectors the product is 1 less half the squared distance, which is worked out in half the time.
CALL () {
  UNWIND $paths AS walked
  CALL (walked) {
    UNWIND walked.members AS member
    MATCH (s:Statement {id: member.id})
    RETURN collect({weight: member.weight, vector: s.embedding}) AS members
  }
  WITH walked.path AS path, members
  ORDER BY path
  RETURN collect(members) AS members_of
}
CALL () {
  UNWIND $paths AS walked
  MATCH (:Statement {id: walked.end})-[:MENTIONS]->(mentioned:Entity)
  WITH mentioned.key AS key, collect(DISTINCT walked.path) AS paths
  MATCH (entity:Entity {key: key})
  WITH key, paths, entity
  ORDER BY EXISTS { (entity)-[:SAME_AS]->() }, entity.degree DESC, entity.id
  WITH key, paths, collect(entity) AS entities, sum(entity.degree) AS degree
  ORDER BY degree, key
  RETURN collect({paths: paths, entities: entities, name: entities[0].name, degree: degree}) AS ways
}
CALL (members_of, ways) {
  UNWIND range(0, size(ways) - 1) AS way
  WITH way, ways[way].entities AS entities
  WHERE ways[way].degree <= $max_degree
  UNWIND entities AS entity
  MATCH (entity)<-[:MENTIONS]-(statement:Statement)
  WITH DISTINCT statement, way
  WITH statement, collect(way) AS shared
  WITH statement, statement.id AS id, statement.embedding AS vector, shared
  WHERE vector IS NOT NULL AND NOT id IN $seen
  WITH statement, id, vector, 2 * vector.similarity.cosine(vector, $vector) - 1 AS cosine, shared
  CALL (shared, ways) {
    UNWIND shared AS way
    UNWIND ways[way].paths AS path
    RETURN path, collect(ways[way].name) AS names
  }
  WITH statement, id, vector, cosine, path, names
  WHERE NOT id IN $seen_by[$paths[path].beam]
  ORDER BY size(names) DESC, cosine DESC, id
  WITH path, collect({
    statement: statement, id: id, vector: vector, cosine: cosine, via: names[0]
  })[..$max_neighbours] AS nearest
  UNWIND nearest AS next
  WITH path, $paths[path] AS walked, next, exp(next.cosine) AS weight,
       reduce(sum = 0.0, member IN members_of[path] |
         sum + member.weight * (1.5 - 0.5 / vector.similarity.euclidean(next.vector, member.vector))
       ) AS product
  WITH path, walked, next, product, (walked.along + weight * next.cosine)
       / sqrt(walked.square + 2 * weight * product + weight ^ 2) AS score
  WHERE score > walked.score
  ORDER BY score DESC, path
  WITH walked.beam AS beam, next.id AS id, collect({
    path: path, next: next, product: product, score: score
  })[0] AS best
  ORDER BY best.score DESC, id
  WITH beam, collect(best)[..$limit] AS found
  UNWIND found AS best
  RETURN collect({
    path: best.path, id: best.next.id, via: best.next.via, cosine: best.next.cosine,
    product: best.product,
    text: CASE WHEN $texts THEN best.next.statement.text ELSE '' END,
    details: CASE WHEN $texts THEN best.next.statement.details ELSE '' END
  }) AS steps
}
RETURN steps, [way IN ways WHERE way.degree > $max_degree | way {.name, .degree}] AS common
