// Returns name and state of every index: ONLINE where it answers.
SHOW INDEXES YIELD name, state
RETURN name, state ORDER BY name
