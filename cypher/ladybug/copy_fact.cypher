// Adds facts from the table $rows.
COPY Fact FROM $rows
