"""English words that several parts of ingestion know."""
