// Adds entities from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Entity {
    id: id,
    name: name,
    `class`: `class`,
    aliases: aliases,
    degree: degree,
    embedding: embedding
})
