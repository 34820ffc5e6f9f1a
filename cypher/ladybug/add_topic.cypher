// Adds topics from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Topic {
    id: id,
    name: name,
    embedding: embedding
})
