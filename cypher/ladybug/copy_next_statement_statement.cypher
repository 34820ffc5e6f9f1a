// Adds NEXT between statements and statements from the table $rows: from, to.
COPY NEXT FROM $rows (from='Statement', to='Statement')
