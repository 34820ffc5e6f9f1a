"""Names as a text lists them."""

__all__ = ["listed"]


def listed(text: str) -> frozenset[str]:
    """The names of a text between commas, each with single spaces, whatever lines it is on."""
    return frozenset(" ".join(name.split()) for name in text.split(","))
