// Entities by normalised name, or by normalised alias as a Lucene query, with those merged with them: the properties, canonical (its name), ordered by id; $keys, $index, $aliases.
CALL {
  MATCH (e:Entity)
  WHERE e.key IN $keys
  RETURN e
  UNION
  CALL db.index.fulltext.queryNodes($index, $aliases)
  YIELD node AS e
  RETURN e
}
OPTIONAL MATCH (e)-[:SAME_AS]->(into:Entity)
WITH DISTINCT coalesce(into, e) AS c
OPTIONAL MATCH (member:Entity)-[:SAME_AS]->(c)
WITH c, collect(member) AS members
UNWIND [c] + members AS e
RETURN e.id AS id, e.name AS name, e.`class` AS `class`, e.aliases AS aliases,
       e.degree AS degree, e.confidence AS confidence,
       CASE WHEN e.id <> c.id THEN c.name END AS canonical
ORDER BY id
