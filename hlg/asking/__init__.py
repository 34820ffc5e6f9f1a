"""From a question to a cited answer: search, evidence, and who words it."""
