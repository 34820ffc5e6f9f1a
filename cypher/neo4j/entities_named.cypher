// Entities by normalised name, or by normalised alias as a Lucene query: the properties, ordered by id; $keys, $index, $aliases.
CALL {
  MATCH (e:Entity)
  WHERE e.key IN $keys
  RETURN e
  UNION
  CALL db.index.fulltext.queryNodes($index, $aliases)
  YIELD node AS e
  RETURN e
}
RETURN e.id AS id, e.name AS name, e.`class` AS `class`, e.aliases AS aliases, e.degree AS degree
ORDER BY id
