// Moves what was committed from the write-ahead log into the file; returns nothing of use.
CHECKPOINT
