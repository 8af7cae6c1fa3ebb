# Two commands: `make demo` shows the main job on the built-in sample, `make test` runs the tests.
VENV ?= .venv
PY := $(VENV)/bin/python
.DEFAULT_GOAL := help
# The tests start an interpreter hundreds of times: without cached bytecode a third of it compiles.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: help demo test every cluster fuzz mutate soak trainers check lint types layers docs bench clean

help:            ## this list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST)

$(VENV)/.app: pyproject.toml
	python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

# Bytecode is written when a module is first imported: the tests import a third of what is installed.
$(VENV)/.dev: pyproject.toml
	python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check --no-compile -e '.[dev]'
	@touch $(VENV)/.app $@

demo: $(VENV)/.app    ## replay the sample run (prints its card where there is no terminal)
	@$(VENV)/bin/sixdim demo

test: $(VENV)/.dev    ## install what the tests need and run all but the slow ones
	$(PY) -m pytest -n auto --dist worksteal -m "not slow"

every: $(VENV)/.dev   ## all tests, the slow ones too
	$(PY) -m pytest -n auto --dist worksteal

cluster: $(VENV)/.dev    ## install the extra and run the tests that need a Dask cluster
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[cluster]'
	$(PY) -m pytest tests/tui/test_cluster.py

fuzz: $(VENV)/.dev    ## the fuzz tests for long (SIXDIM_FUZZ inputs for each door)
	SIXDIM_FUZZ=$${SIXDIM_FUZZ:-20000} $(PY) -m pytest tests/end_to_end/faults/test_fuzz.py

mutate: $(VENV)/.dev  ## N mutated logs (of SIXDIM_CORPUS, else the samples) through every way in
	$(PY) -m tests.stress.mutate $${N:-200}

soak: $(VENV)/.dev    ## MINUTES of a fast, rotated, killed log beside failing GPUs and servers
	$(PY) -m tests.stress.soak --minutes $${MINUTES:-60}

trainers: $(VENV)/.dev   ## train small models with real trainers, and hold each figure against timers
	$(PY) -m tests.trainers.run $(ONLY)

lint: $(VENV)/.dev    ## ruff: style and common faults
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/.dev   ## mypy, strict
	$(VENV)/bin/mypy

layers: $(VENV)/.dev  ## import-linter: parsers -> metrics -> tui
	$(VENV)/bin/lint-imports

# mypy has one core, and the tests leave a part of each idle: together they end sooner.
check: lint           ## everything CI runs
	@$(MAKE) --no-print-directory --jobs=2 every types layers

docs: $(VENV)/.app    ## the documentation as a site, in build/site; a dead link is an error
	$(PY) -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	$(VENV)/bin/mkdocs build

bench: $(VENV)/.app   ## ratios against grep, a script, polars and duckdb (minutes)
	$(PY) benchmarks/batch.py
	$(PY) -m benchmarks.start
	$(PY) -m benchmarks.archives 40 1 3

clean:           ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist *.egg-info
