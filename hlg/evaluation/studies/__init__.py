"""The papers' experiments: stages of a pipeline compared on one data set."""
