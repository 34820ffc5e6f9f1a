// Returns nothing: the index over normalised aliases, each of them one term.
CREATE FULLTEXT INDEX entity_alias IF NOT EXISTS
FOR (n:Entity) ON EACH [n.alias_keys]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'keyword'}}
