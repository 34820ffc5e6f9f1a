// The nodes of a label with these ids: all properties but the embedding; $ids.
UNWIND $ids AS key
MATCH (n:<Label> {id: key})
RETURN <properties: n.name AS name>
