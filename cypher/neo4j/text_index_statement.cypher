// Returns nothing: the full-text index over the words of statements.
CREATE FULLTEXT INDEX statement_text IF NOT EXISTS
FOR (n:Statement) ON EACH [n.text]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
