"""Where a model of a name is loaded from: a folder, the hub's cache, or the hub.

The libraries that load models ask a hub for each of a model's files, and for minutes where it
can't be reached. Here it is asked once, and not at all for a model that is on this machine.
"""

import os
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

HUB_SECONDS = 3.0
"""What the hub has to answer whether it has a model, name resolution included."""
_FIRST_FILES = ("config.json", "modules.json")
"""Every model has one of them."""
_UNKNOWN = "has no such model"


def model_address(name: str, package: str, organization: str = "") -> str:
    """What a library has to be given to load a model: a folder, or a name at the hub.

    :param package: the library, as it is imported.
    :param organization: whose a model is that is named without one.
    :raises ImportError: the library is not installed.
    :raises OSError: there is no such model, or it can't be known; says where it was looked for.
    """
    if find_spec(package) is None:
        raise ModuleNotFoundError(f"{package} is not installed")
    if name and Path(name).is_dir():
        return name
    from huggingface_hub import constants
    from huggingface_hub.errors import HFValidationError

    names = [f"{organization}/{name}", name] if organization and "/" not in name else [name]
    try:
        folders = [_in_cache(each) for each in names]
    except HFValidationError as error:
        raise OSError("there is no such folder, and no model can be named so") from error
    if folder := next(filter(None, folders), ""):
        return folder
    host = constants.ENDPOINT.partition("://")[2]
    looked = f"looked for a folder of that name, then in {constants.HF_HUB_CACHE} and at {host}"
    if constants.HF_HUB_OFFLINE:
        raise OSError(f"{looked}, which HF_HUB_OFFLINE forbids to ask")
    for each in names:
        fault = _asked(each)
        if not fault:
            return each
        if fault != _UNKNOWN:
            raise OSError(f"{looked}, which can't be reached ({fault}); is this machine offline?")
    raise OSError(f"{looked}, which {_UNKNOWN}")


def _in_cache(name: str) -> str:
    """The folder of a model that was fetched before, all of it; else empty."""
    from huggingface_hub import constants, try_to_load_from_cache

    for cache in (constants.HF_HUB_CACHE, os.environ.get("SENTENCE_TRANSFORMERS_HOME")):
        for file in _FIRST_FILES if cache else ():
            found = try_to_load_from_cache(name, file, cache)
            if isinstance(found, str):
                folder = Path(found).parent
                if not any(folder.parents[1].glob("blobs/*.incomplete")):
                    return str(folder)
    return ""


def _asked(name: str) -> str:
    """Why the hub gives no such model, in one line; empty where it does."""
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import RepositoryNotFoundError

    faults = [f"nothing came within {HUB_SECONDS:g} s"]

    def ask() -> None:
        try:
            HfApi(endpoint=constants.ENDPOINT).model_info(name, timeout=HUB_SECONDS)
        except RepositoryNotFoundError:
            faults.append(_UNKNOWN)
        except Exception as error:
            # Its errors are those of whichever HTTP client its version has.
            faults.append((str(error).strip() or type(error).__name__).partition("\n")[0])
        else:
            faults.append("")

    # A name that does not resolve may take longer than the timeout of a connection.
    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(HUB_SECONDS)
    return faults[-1]
