# The engine's commands; `make help` lists them.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000
DEVELOPMENT := $(BIN)/python scripts/development.py

# A child process that reads a file writes no bytecode: without this it compiles the engine anew.
COMPILE := $(BIN)/python -m compileall -q tabular

.DEFAULT_GOAL := help
.PHONY: help run demo stack test test-faults test-receivers lint check bench eval format clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

.venv/runtime: requirements.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/development: requirements.txt requirements-dev.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/runtime

run: .venv/runtime ## Set everything up and start the engine on this machine (PORT=8000)
	@$(COMPILE)
	@$(DEVELOPMENT) migrate --verbosity 0
	@$(DEVELOPMENT) setup --port $(PORT)
	@exec $(DEVELOPMENT) serve --port $(PORT)

demo: .venv/runtime ## Import one file headless: make demo FILE=examples/orders-cp1252.csv
	@$(COMPILE)
	@$(DEVELOPMENT) migrate --verbosity 0
	@$(DEVELOPMENT) setup --port $(PORT) > /dev/null
	@$(DEVELOPMENT) demo "$(FILE)" $(if $(CATALOG),--catalog $(CATALOG))

stack: export IMPORT_POSTGRES_URL ?= postgresql://postgres@127.0.0.1:5432/importengine
stack: export IMPORT_REDIS_URL ?= redis://127.0.0.1:6379/0
stack: export IMPORT_DATA_DIR ?= var/stack
stack: .venv/runtime ## The production shape on this machine: PostgreSQL, Redis, web, workers, beat
	@$(BIN)/python scripts/make_database.py
	@$(COMPILE)
	@$(DEVELOPMENT) migrate --verbosity 0
	@$(DEVELOPMENT) setup --port $(PORT)
	@exec $(DEVELOPMENT) serve --port $(PORT)

test: .venv/development ## Run the tests; on PostgreSQL and Redis when their IMPORT_*_URL are set
	@$(COMPILE)
	$(BIN)/pytest -n auto -m "not processes and not receivers"

test-faults: .venv/development ## Kill real processes while they work
	@$(COMPILE)
	$(BIN)/pytest -m processes

test-receivers: .venv/development ## Send to the example receivers (needs Node, PHP and Go)
	@$(COMPILE)
	$(BIN)/pytest -m receivers

lint: .venv/development ## Check style, types, layers, sizes and migrations
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_sizes.py
	$(DEVELOPMENT) makemigrations --check --dry-run

check: lint test ## Lint and test

bench: .venv/development ## Print the benchmarks (EVAL_SETS names the folder of test sets)
	@$(COMPILE)
	$(BIN)/python -m bench

eval: .venv/development ## Measure against outside test sets (EVAL_SETS names their folder)
	@$(COMPILE)
	$(BIN)/python -m eval

format: .venv/development ## Format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove the virtual environment and caches; data in var/ stays
	rm -rf .venv $$(find . -name __pycache__ -not -path './.venv/*') .mypy_cache .ruff_cache .import_linter_cache .hypothesis
