// Adds communities from the table $rows.
COPY Community FROM $rows
