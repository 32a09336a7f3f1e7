# The engine's commands; `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8000
DEVELOPMENT := $(BIN)/python scripts/development.py

# Tests and the engine start many processes of the same code: each would compile it again.
unexport PYTHONDONTWRITEBYTECODE
# A child process that reads a file writes no bytecode itself.
COMPILE := $(BIN)/python -m compileall -q tabular && $(BIN)/python -m tabular compile

.DEFAULT_GOAL := help
.PHONY: help run elements test-elements test-web pictures screens lighthouse bench-big bench-web demo stack test test-long test-faults test-receivers test-docs test-start test-home test-counterparty test-packages image test-image packages release wheel docs lint check bench soak eval eval-ablation mutants requirements licenses format clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/runtime: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	@touch $@

$(VENV)/development: requirements-dev.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@ $(VENV)/runtime

ELEMENTS := static/elements/manifest.json
$(ELEMENTS): $(VENV)/runtime scripts/build_elements.py $(shell find frontend -path frontend/node_modules -prune -o -type f -print)
	@$(BIN)/python scripts/build_elements.py

elements: $(ELEMENTS) ## Build the elements of frontend/ where their sources changed

test-elements: $(ELEMENTS) ## Run the unit tests of the elements, and weigh them
	@$(BIN)/python scripts/build_elements.py test
	@$(BIN)/python scripts/measure_elements.py

run: $(VENV)/runtime $(ELEMENTS) ## Set everything up and start the engine on this machine (PORT=8000)
	@$(COMPILE)
	@$(DEVELOPMENT) migrate --verbosity 0
	@$(DEVELOPMENT) setup --port $(PORT) --samples
	@exec $(DEVELOPMENT) serve --port $(PORT)

demo: $(VENV)/runtime ## Import one file headless: make demo FILE=examples/orders-cp1252.csv
	@$(COMPILE)
	@$(DEVELOPMENT) migrate --verbosity 0
	@$(DEVELOPMENT) setup --port $(PORT) > /dev/null
	@$(DEVELOPMENT) demo "$(FILE)" $(if $(CATALOG),--catalog $(CATALOG))

stack: export IMPORT_POSTGRES_URL ?= postgresql://postgres@127.0.0.1:5432/importengine
stack: export IMPORT_REDIS_URL ?= redis://127.0.0.1:6379/0
stack: export IMPORT_DATA_DIR ?= var/stack
stack: $(VENV)/runtime $(ELEMENTS) ## The production shape on this machine: PostgreSQL, Redis, web, workers, beat
	@$(BIN)/python scripts/make_database.py
	@$(COMPILE)
	@$(DEVELOPMENT) migrate --verbosity 0
	@$(DEVELOPMENT) setup --port $(PORT) --samples
	@exec $(DEVELOPMENT) serve --port $(PORT)

test: $(VENV)/development ## Run the tests; on PostgreSQL and Redis when their IMPORT_*_URL are set (TESTS: of some alone; ONLY=database)
	@$(COMPILE)
	$(BIN)/pytest -n auto -m "$(if $(ONLY),$(ONLY) and )not processes and not receivers and not counterparty and not web and not browsers and not packages" $(TESTS)

test-long: export COMBINATIONS ?= 3000
test-long: export LIFE_EXAMPLES ?= 1000
test-long: export CALLS ?= 20000
test-long: export FLEET_ROUNDS ?= 20
test-long: $(VENV)/development $(ELEMENTS) ## Follow the quickstarts of Vue, Next.js, Angular, Django and Rails; walk thousands of random catalogs, lives of imports and calls, and the elements in every language and with every kind of feed; let machines of a fleet fail (hours; Node, chromium, ruby-rails, PostgreSQL, Redis; COMBINATIONS, LIFE_EXAMPLES, CALLS, FLEET_ROUNDS, SEED)
	@$(COMPILE)
	$(BIN)/pytest -m "packages and large"
	$(BIN)/pytest -n auto tests/imports/combinations tests/imports/life tests/api/test_every_call.py
	$(BIN)/pytest -m "web and large" -n 2 --dist loadfile
	$(BIN)/pytest -m "processes and large"

test-faults: $(VENV)/development ## Kill real processes while they work (FAULTS: of some tests alone)
	@$(COMPILE)
	$(BIN)/pytest -m "processes and not large" --durations=15 $(FAULTS)

test-receivers: $(VENV)/development ## Send to the example receivers (needs Node, PHP and Go)
	@$(COMPILE)
	$(BIN)/pytest -m receivers

test-web: $(VENV)/development $(ELEMENTS) ## Walk the elements in a real Chromium (needs Node and chromium)
	@$(COMPILE)
	$(BIN)/pytest -m "web and not large" -n 2 --dist loadfile

test-browsers: $(VENV)/development ## Walk the grid in WebKit and Firefox (webkit2gtk-driver, xvfb, firefox-esr)
	@$(COMPILE)
	$(BIN)/pytest -m browsers

test-docs: ## Follow the pages about production in a fresh environment (PostgreSQL, Redis, rsync, chromium)
	$(PYTHON) scripts/follow_docs.py

test-start: $(VENV)/development $(ELEMENTS) ## Run every command of the tutorials and guides against an engine
	@$(COMPILE)
	$(BIN)/python scripts/follow_start.py

test-home: $(VENV)/runtime $(ELEMENTS) ## Run the engine without a network, and list what it tries to reach (root, strace; PostgreSQL and Redis)
	@$(COMPILE)
	$(BIN)/python scripts/stay_home.py

test-counterparty: $(VENV)/development ## Install the contracts' wheel alone and check files with it
	@$(COMPILE)
	$(BIN)/pytest -m counterparty

wheel: $(VENV)/development ## Build the contracts' wheel, without Django, into dist/
	$(BIN)/python scripts/build_wheel.py dist

packages: $(VENV)/development ## Build what a host's developer installs, into dist/
	$(BIN)/python scripts/build_packages.py

release: $(VENV)/development $(ELEMENTS) ## Build the engine, every package, a bill of materials and checksums into dist/ (docs/releasing.md)
	rm -rf dist
	$(MAKE) packages wheel
	$(BIN)/python scripts/build_server.py dist
	$(BIN)/python scripts/list_components.py dist
	cd dist && sha256sum -- *.* > SHA256SUMS

test-packages: $(VENV)/development $(ELEMENTS) ## Check and weigh the packages, and follow the quickstarts of HTML and React (Node, chromium)
	@$(COMPILE)
	$(BIN)/pytest -m "packages and not large"

image: ## Build the image with buildah, on a base of this machine's packages (buildah, mmdebstrap; IMAGE_BASE)
	$(PYTHON) scripts/build_image.py

test-image: $(VENV)/development ## Take a file through the image to a verified delivery (buildah; PostgreSQL and Redis; starts SeaweedFS)
	$(BIN)/python scripts/try_image.py

test-agents: $(VENV)/development ## Run the tools of agents against other people's clients (EVAL_SETS)
	@$(COMPILE)
	$(BIN)/python scripts/agent_clients.py

docs: $(VENV)/development ## Build the documentation into docs/_site; the engine serves it at /docs
	$(BIN)/python scripts/build_docs.py

lint: $(VENV)/development ## Check style, types, layers, sizes, words, names and migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_sizes.py
	$(BIN)/python scripts/check_words.py
	$(BIN)/python scripts/check_names.py
	$(BIN)/python scripts/index_decisions.py check
	$(BIN)/python scripts/error_codes.py check
	$(BIN)/python scripts/list_commands.py check
	$(BIN)/python scripts/draw_diagrams.py check
	$(DEVELOPMENT) makemigrations --check --dry-run
	$(BIN)/python scripts/check_migrations.py
	$(BIN)/python scripts/element_types.py check
	$(BIN)/python scripts/build_elements.py check
	$(BIN)/python scripts/lock_requirements.py check

check: lint test ## Lint and test

bench: $(VENV)/development ## Compare with other tools, measure the engine next to its targets, and write docs/benchmarks.md (25 minutes; Node; PostgreSQL and Redis when their IMPORT_*_URL are set; BENCH_ROUNDS, BENCH_SCALE)
	@$(COMPILE)
	$(BIN)/python -m bench peers

bench-big: $(VENV)/development ## Take ten million rows through the embedded engine (8 GB of disk; BENCH_SCALE)
	@$(COMPILE)
	$(BIN)/python -m bench.figures big

pictures: $(VENV)/development $(ELEMENTS) ## Take the pictures that pages of the docs show
	$(BIN)/python -m tests.web.walks.pictures docs/screens
	$(BIN)/python -m tests.web.walks.moving_picture docs/screens/import.webp

screens: $(VENV)/development $(ELEMENTS) ## Take a picture of every screen and of the admin's pages of imports: three widths, two languages, light and dark (SCREENS=var/screens)
	$(BIN)/python -m tests.web.walks.screens $(or $(SCREENS),var/screens)

lighthouse: $(VENV)/development $(ELEMENTS) ## Score the accessibility of every screen with Lighthouse (needs Node and chromium; PARTS=admin)
	$(BIN)/python -m tests.web.walks.lighthouse $(PARTS)

bench-web: $(VENV)/development $(ELEMENTS) ## Measure the elements in a real Chromium, and their sizes
	$(BIN)/python scripts/measure_elements.py
	$(BIN)/python -m bench.web

soak: $(VENV)/development ## Half an hour of uploads from four clients (MINUTES=30)
	@$(COMPILE)
	$(BIN)/python -m bench.soak --minutes $(or $(MINUTES),30)

eval: $(VENV)/development ## Measure against outside test sets (EVAL_SETS names their folder)
	@$(COMPILE)
	$(BIN)/python -m eval

eval-ablation: $(VENV)/development ## Remove each rule of matching, or of reading (OF=reading), in turn: what does it gain? (EVAL_SETS; REMOVE=names)
	@$(COMPILE)
	$(BIN)/python -m eval ablation $(OF) $(REMOVE)

mutants: export IMPORT_CI = 1
mutants: $(VENV)/development ## Change numbers and comparisons one at a time: which does no test notice (GROUPS, SAMPLE)
	$(BIN)/python -m tests.mutants $(GROUPS) --sample $(or $(SAMPLE),30)

requirements: ## Write requirements*.txt from the .in files, with all hashes
	$(PYTHON) scripts/lock_requirements.py

licenses: $(VENV)/development ## Write docs/third-party-licenses.md, and refuse a license that is not allowed
	$(BIN)/python scripts/list_licenses.py

format: $(VENV)/development ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove the virtual environment and caches; data in var/ stays
	rm -rf .venv $$(find . -name __pycache__ -not -path './.venv/*') .mypy_cache .ruff_cache .import_linter_cache .hypothesis
