"""The embedded store: a Ladybug file, in process."""
