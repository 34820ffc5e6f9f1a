// Adds chunks from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Chunk {
    id: id,
    ordinal: ordinal,
    `start`: `start`,
    `end`: `end`,
    text: text,
    context: context,
    embedding: embedding
})
