// Returns nothing: adds the aliases that entities do not have yet; $rows: id, aliases, alias_keys.
UNWIND $rows AS row
MATCH (e:Entity {id: row.id})
WHERE any(alias IN row.aliases WHERE NOT alias IN e.aliases)
SET e.aliases = e.aliases + [alias IN row.aliases WHERE NOT alias IN e.aliases],
    e.alias_keys = e.alias_keys + [key IN row.alias_keys WHERE NOT key IN e.alias_keys]
