"""The retrievers: each proposes candidates for a question."""
