"""The extractor on an English grammar."""
