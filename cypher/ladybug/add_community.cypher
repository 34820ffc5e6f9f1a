// Adds communities from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Community {
    id: id,
    level: level,
    title: title,
    summary: summary,
    size: size,
    content_hash: content_hash,
    embedding: embedding
})
