"""A folder of real files from Debian and PyPI packages: what is read of it, and what is not.

``python benchmarks/real_files.py FOLDER`` fetches the packages with apt-get and pip, takes
at most five files of each kind, one from each, of up to 192 KiB, and reads them. ``hlg build
FOLDER/files`` builds their graph. Nothing of the folder belongs into the repository.
"""

import argparse
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from shutil import copyfile, which
from zipfile import ZipFile

from hlg.ingest.load.formats import format_of
from hlg.ingest.load.sources import load
from hlg.records import Document
from hlg.reports import Failure

DEBIAN = (
    "4ti2-doc asymptote-doc bash-doc debmake-doc expeyes-doc-fr fasta3-doc gammu-doc gnuplot-doc "
    "gri-pdf-doc mgen-doc mrbayes-doc nauty-doc pari-doc r-cran-coin r-cran-lme4 r-cran-sp "
    "r-cran-strucchange r-cran-survival r-cran-vcd r-cran-zoo zsh-doc"
)
PYPI = "docutils markdown-it-py nbformat odfdo python-docx python-pptx scikit-learn"
A_KIND, A_KIND_A_PACKAGE = 5, 1
LARGEST = 3 * 2**16


def main() -> None:
    """Fetch the packages where they are not there yet, gather the files, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    fetched = folder / "packages"
    if not fetched.is_dir():
        fetch(folder, fetched)
    files = folder / "files"
    gather(fetched, files)
    report(files)


def fetch(folder: Path, fetched: Path) -> None:
    """Each package unpacked into a folder of its name."""
    pip = which("pip") or sys.exit("fetching PyPI's packages needs pip on the PATH")
    downloads = folder / "downloads"
    downloads.mkdir(parents=True, exist_ok=True)
    for name in DEBIAN.split():
        subprocess.run(["apt-get", "download", name], cwd=downloads, check=False)
    for name in PYPI.split():
        command = [pip, "download", "--quiet", "--no-deps", "--only-binary=:all:", name]
        subprocess.run(command, cwd=downloads, check=False)
    for package in downloads.iterdir():
        target = fetched / re.split("[_-]\\d", package.name)[0]
        target.mkdir(parents=True, exist_ok=True)
        if package.suffix == ".deb":
            subprocess.run(["dpkg", "-x", package, target], check=False)
        else:
            with ZipFile(package) as wheel:
                wheel.extractall(target)


def gather(fetched: Path, files: Path) -> None:
    """A few files of each suffix of each package, under the package's name."""
    files.mkdir(exist_ok=True)
    kinds: Counter[str] = Counter()
    for package in sorted(fetched.iterdir()):
        taken: Counter[str] = Counter()
        for path in sorted(package.rglob("*")):
            suffix = path.suffix.lower()
            if not path.is_file() or path.is_symlink() or not format_of(path.name):
                continue
            wanted = taken[suffix] < A_KIND_A_PACKAGE and kinds[suffix] < A_KIND
            if wanted and 200 < path.stat().st_size < LARGEST:
                taken[suffix] += 1
                kinds[suffix] += 1
                copyfile(path, files / f"{package.name}-{path.name}")


def report(files: Path) -> None:
    """What the readers make of the folder, by format."""
    started = time.perf_counter()
    read: dict[str, list[Document]] = defaultdict(list)
    left_out = []
    for found in load([files]):
        if isinstance(found, Document):
            read[found.format].append(found)
        elif isinstance(found, Failure):
            left_out.append(f"{Path(found.uri).name}: {found.reason}")
        else:
            left_out.append(f"{Path(found.uri).name}: {found.kind}")
    seconds = time.perf_counter() - started
    suffixes = {path.suffix.lower() for path in files.iterdir()}
    print(f"{len(list(files.iterdir()))} files of {len(suffixes)} suffixes in {seconds:.1f} s")
    print("| format | files | documents | characters | languages |")
    print("| --- | --- | --- | --- | --- |")
    for name, documents in sorted(read.items()):
        sources = len({document.uri.split("#")[0] for document in documents})
        size = sum(len(document.text) for document in documents)
        languages = Counter(str(each.metadata.get("language", "none")) for each in documents)
        told = ", ".join(f"{code} {count}" for code, count in languages.most_common(3))
        print(f"| {name} | {sources} | {len(documents)} | {size:,} | {told} |")
    print(f"not read: {len(left_out)}", *left_out, sep="\n- ")


if __name__ == "__main__":
    main()
