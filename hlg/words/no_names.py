"""Words with a capital that name nothing: greetings, labels of sections, captions of pages."""

from hlg.words import words

INTERJECTIONS = words("documents", "interjections")
"""What people say before a name or by itself."""
SECTION_LABELS = words("documents", "section labels")
"""What the parts of an abstract begin with, in capitals."""
_LABELS = words("documents", "labels")
_UNITS = words("documents", "units")
_PHRASES = words("documents", "phrases")
_FILES = words("documents", "files of all")
NO_NAMES = INTERJECTIONS | SECTION_LABELS | _LABELS | _UNITS | _PHRASES | _FILES
"""What is no name when it stands alone, lower-cased."""
