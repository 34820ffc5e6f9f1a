// The best that continue paths over shared entities: path, id, via, cosine with the question, product with the path; $paths (path: its place, end, members: id, weight; along, square, score), $vector, $seen, $max_degree, $max_neighbours, $limit; with $texts also text and details. Each vector is read once.
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
  WHERE degree <= $max_degree
  ORDER BY degree, key
  UNWIND entities AS entity
  MATCH (entity)<-[:MENTIONS]-(statement:Statement)
  WITH DISTINCT statement, key, paths, entities[0].name AS name
  WITH statement, collect({name: name, paths: paths}) AS ways
  WITH statement.id AS id, statement.embedding AS vector, ways
  WHERE vector IS NOT NULL AND NOT id IN $seen
  WITH {id: id, vector: vector, cosine: 2 * vector.similarity.cosine(vector, $vector) - 1} AS next,
       ways
  CALL (ways) {
    UNWIND ways AS way
    UNWIND way.paths AS path
    RETURN path, collect(way.name) AS names
  }
  WITH path, next, names
  ORDER BY size(names) DESC, next.cosine DESC, next.id
  WITH path, collect({next: next, via: names[0]})[..$max_neighbours] AS steps
  UNWIND steps AS step
  RETURN path, step.next AS next, step.via AS via
}
WITH $paths[path] AS walked, next, via, exp(next.cosine) AS weight,
     reduce(sum = 0.0, member IN members_of[path] |
       sum + member.weight * (2 * vector.similarity.cosine(next.vector, member.vector) - 1)
     ) AS product
WITH walked, next, via, product, (walked.along + weight * next.cosine)
     / sqrt(walked.square + 2 * weight * product + weight ^ 2) AS score
WHERE score > walked.score
ORDER BY score DESC, walked.path
WITH next.id AS id, collect({
  path: walked.path, via: via, cosine: next.cosine, product: product, score: score
})[0] AS best
ORDER BY best.score DESC, id
LIMIT $limit
MATCH (statement:Statement {id: id})
RETURN best.path AS path, id, best.via AS via, best.cosine AS cosine, best.product AS product,
       CASE WHEN $texts THEN statement.text ELSE '' END AS text,
       CASE WHEN $texts THEN statement.details ELSE '' END AS details
