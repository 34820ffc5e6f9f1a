// How many SAME_AS and DIFFERENT_FROM there are: name, total.
MATCH (:Entity)-[r:SAME_AS]->()
WITH count(r) AS total
RETURN 'SAME_AS' AS name, total
UNION ALL
MATCH (:Entity)-[r:DIFFERENT_FROM]->()
WITH count(r) AS total
RETURN 'DIFFERENT_FROM' AS name, total
