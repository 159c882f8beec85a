# Needs Python 3.11 or newer and make. Everything else goes into .venv.

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup play test lint format rules-coverage bench lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-16s %s\n", $$1, $$2 }'

setup: $(READY) ## create .venv with everything in it

play: $(READY) ## play a game in the terminal
	@$(BIN)/highvoltage play

test: lint ## lint, then run all tests
	$(BIN)/pytest -q

lint: $(READY) ## style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY) ## rewrite the code in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

rules-coverage: $(READY) ## list the rules that no test proves
	@$(BIN)/python tests/rules_coverage.py

bench: $(READY) ## measure the engine on this machine
	@$(BIN)/highvoltage bench

# A pinned list with hashes, and no address in it: pip and uv install it from any index.
lock: $(BIN)/python ## resolve the dependencies anew into requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade --all-extras \
		--generate-hashes --no-emit-index-url --no-emit-find-links --no-header \
		--output-file requirements.lock pyproject.toml

clean: ## remove .venv, caches and builds
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "High Voltage needs Python 3.11 or newer: make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "High Voltage needs Python 3.11 or newer; $(PYTHON) is older" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# uv is only for speed: where it cannot be installed, pip does the same work.
$(READY): requirements.lock pyproject.toml | $(BIN)/python
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check uv 2>/dev/null; \
	then installer="$(BIN)/uv pip install --quiet --python $(BIN)/python"; \
	else installer="$(BIN)/python -m pip install --quiet --disable-pip-version-check"; fi; \
	set -ex; \
	$$installer --require-hashes --requirement requirements.lock; \
	$$installer --no-deps --no-build-isolation --editable .
	@touch $@
