"""Small words of other languages than English, that tell names from what stands beside them."""

from hlg.words import words

JOINTS = words("foreign", "joints")
"""What stands inside a name: "Ludwig van Beethoven", "Rio de Janeiro"."""

NOT_FIRST = words("foreign", "not first")
"""What stands at the beginning of a sentence and begins no name."""

FRENCH_NO_NAMES = words("foreign", "french no names")
"""What is in no name, though a model takes it for one."""

FRENCH_EDGES = words("foreign", "french edges")
"""What begins and ends no name."""

FRENCH_DOUBT = words("foreign", "french doubt")
"""What says that somebody only says, hopes or supposes what is said."""
