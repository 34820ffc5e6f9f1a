// Adds facts from the table $rows, one column a property; returns nothing.
LOAD FROM $rows
CREATE (:Fact {
    id: id,
    text: text,
    predicate: predicate,
    `object`: `object`
})
