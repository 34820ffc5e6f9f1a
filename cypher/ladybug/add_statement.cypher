// Adds statements from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Statement {
    id: id,
    text: text,
    details: details,
    `start`: `start`,
    `end`: `end`,
    embedding: embedding
})
