"""What tables and fields say: rows with their sections, captions and scales, as facts."""
