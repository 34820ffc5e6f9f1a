// Adds sources from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Source {
    id: id,
    uri: uri,
    title: title,
    metadata: metadata,
    text_hash: text_hash,
    ingested_at: ingested_at
})
