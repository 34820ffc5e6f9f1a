// Returns nothing: the full-text index over the words of a label's texts.
CREATE FULLTEXT INDEX <label>_text IF NOT EXISTS
FOR (n:<Label>) ON EACH [<full text: n.name>]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
