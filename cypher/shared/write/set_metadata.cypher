// Sets the metadata of a source; $id, $metadata.
MATCH (s:Source {id: $id})
SET s.metadata = $metadata
