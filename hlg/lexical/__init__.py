"""Full text: words as they are compared, BM25 and TF-IDF as arrays."""
