"""How large an input may be."""

from hlg.errors import InputError

MEBIBYTE = 2**20


def check_size(size: int, limit: int, what: str) -> None:
    """Refuse what is larger than ``limit`` bytes.

    :raises InputError: it is; names the setting that allows more.
    """
    if size > limit:
        raise InputError(
            f"a {what} of more than {limit / MEBIBYTE:.4g} MiB; raise the setting max_file_mb"
        )
