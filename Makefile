# Everything that is needed lands in .venv; nothing outside this folder is touched.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: install serve test checker perft exhaustive soak mutate bench bench-solver openapi train check format lock clean help

help:  ## lists the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

install: $(VENV)/.runtime  ## installs what the service needs

serve: $(VENV)/.runtime  ## installs, publishes today's deal, serves it on port 8000
	@$(BIN)/gaps serve

test: $(VENV)/.dev  ## installs and runs all tests, on SQLite and on PostgreSQL
	$(BIN)/pytest --numprocesses auto --dist worksteal

checker:  ## packs the checker into dist/checker.pyz, the same to the byte everywhere
	@$(PYTHON) -B -m checker.pyz dist/checker.pyz

perft: $(VENV)/.dev  ## counts the perft table again by both readings (takes minutes)
	$(BIN)/python -m tests.readings.perft

exhaustive: $(VENV)/.dev  ## compares the solver with brute force on miniatures (takes an hour)
	$(BIN)/python -m tests.readings.miniatures --jobs 2

soak: $(VENV)/.dev  ## plays a million tokens by both readings (takes minutes)
	$(BIN)/python -m tests.readings.soak --tokens 1000000

mutate: $(VENV)/.dev  ## changes one thing after another in both readings; tests must notice (half an hour)
	$(BIN)/python -m tests.mutation --jobs 2

bench: $(VENV)/.dev  ## measures the checker, minting, and the API on both databases
	$(BIN)/python -m bench.checker
	$(BIN)/python -m bench.minting
	$(BIN)/python -m bench.api
	$(BIN)/python -m bench.api --postgresql

bench-solver: $(VENV)/.dev  ## measures the solver on numbered deals (an hour), for the README too
	$(BIN)/python -m bench.solver --write README.md

openapi: $(VENV)/.dev  ## writes docs/openapi.json and the answers it has for examples anew
	$(BIN)/python -m tests.api.real_answers

train: $(VENV)/.dev  ## learns the one-deal search's weights anew, from nothing
	$(BIN)/python -m service.solver.one_deal.train

check: $(VENV)/.dev  ## lints, type-checks, checks the walls between the packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev  ## formats the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

LOCK := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --no-annotate --no-header --quiet
lock:  ## pins the dependencies anew (wants uv)
	$(LOCK) --extra dev --output-file requirements-dev.lock
	$(LOCK) --extra build --constraint requirements-dev.lock --output-file requirements.lock

clean:  ## removes the virtual environment and all caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

# A stamp is newer than the lock it was installed from; only a changed lock installs anew.
INSTALL = $(BIN)/python -m pip --disable-pip-version-check install --quiet
$(BIN)/python:
	@echo "Making $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Gaps needs Python 3.11 or later; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the service needs"
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "Installing what the tests need"
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@ $(VENV)/.runtime
