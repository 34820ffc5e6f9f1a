# make demo   a first graph from a dozen short texts; needs Python 3.11 or later alone
# make test   everything: linters, types and all tests, with a real Neo4j (JDK 17 and Maven)
# make check  what to run before a commit: linters, types and the quick tests

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# NLTK, which LlamaIndex brings, refuses hard-linked files.
export UV_LINK_MODE := copy

UV := $(shell command -v uv 2>/dev/null)
ifdef UV
CREATE := $(UV) venv --quiet --allow-existing --python $(PYTHON) $(VENV)
INSTALL := $(UV) pip install --quiet --python $(BIN)/python --constraint constraints.txt
else
CREATE := $(PYTHON) -m venv $(VENV)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
endif

.PHONY: demo test check lint install-test clean

demo:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hlg needs Python 3.11 or later; this is " + sys.version.split()[0] + ". Try: make demo PYTHON=python3.11")'
	@test -x $(BIN)/python || $(CREATE)
	$(INSTALL) .
	$(BIN)/hlg demo

install-test:
	@test -x $(BIN)/python || $(CREATE)
	$(INSTALL) --editable '.[all,test]' --config-settings editable_mode=strict

lint: install-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

check: lint
	$(BIN)/pytest -m 'not slow and not neo4j'

test: lint
	$(BIN)/pytest

clean:
	rm -rf $(VENV) build *.egg-info
