// Returns nothing: waits until every index answers; $seconds.
CALL db.awaitIndexes($seconds)
