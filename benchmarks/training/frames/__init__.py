"""Training and measuring of the reader of frames (``hlg.ingest.extract.local.frames``)."""
