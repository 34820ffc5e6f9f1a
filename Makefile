# make demo   a first graph from a dozen short texts; needs Python 3.11 or later alone
# make test   everything: linters, types and all tests, with a real Neo4j (JDK 17 and Maven)
#             and a real web browser (Chromium); tesseract for the one test that reads a scan
# make check  what to run before a commit: linters, types and the quick tests

PYTHON ?= python3
VENV ?= .venv
WORKERS ?= 2
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)
ifdef UV
CREATE := $(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
INSTALL := $(UV) pip install --quiet --python $(BIN)/python --constraint constraints.txt
# NLTK refuses the files that LlamaIndex ships for it where uv has linked them to its cache.
UNLINK := $(INSTALL) --link-mode copy --reinstall-package llama-index-core llama-index-core
else
CREATE := $(PYTHON) -m venv $(VENV)
# What is never imported needs no bytecode: a sixth of the installation.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt
UNLINK := true
endif

.PHONY: demo test check lint install-test chromium tesseract clean

demo:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hlg needs Python 3.11 or later; this is " + sys.version.split()[0] + ". Try: make demo PYTHON=python3.11")'
	@test -x $(BIN)/python || $(CREATE)
	$(INSTALL) .
	$(BIN)/hlg demo

install-test:
	@test -x $(BIN)/python || $(CREATE)
	$(INSTALL) --editable '.[all,test]' --config-settings editable_mode=strict
	$(UNLINK)

lint: install-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint
	$(BIN)/pytest -m 'not slow and not neo4j'

# As root on Debian it is installed; elsewhere the tests that need it say what to do.
chromium:
	@command -v chromium >/dev/null || command -v google-chrome >/dev/null \
	  || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null || exit 0; \
	       apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
	         --no-install-recommends chromium fonts-dejavu-core >/dev/null; }

tesseract:
	@command -v tesseract >/dev/null \
	  || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null || exit 0; \
	       apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
	         --no-install-recommends tesseract-ocr >/dev/null; }

# Workers take whole files, or all tests of a Neo4j (tests/conftest.py): what these build or
# start is made once.
test: lint chromium tesseract
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadscope --no-loadscope-reorder

clean:
	rm -rf $(VENV) build *.egg-info
