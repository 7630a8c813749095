# make demo    a store from examples/store, three questions through the hook, the commits made
# make test    the tests
# make check   lint, format and types
# make bench   the benchmarks of docs/benchmarks.md at small sizes

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check bench clean

demo: $(VENV)/.run
	@sh examples/demo.sh $(abspath $(BIN))

test: $(VENV)/.test
	$(BIN)/python -m pytest -q -n auto --maxprocesses 8

check: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.test
	$(BIN)/python benchmarks/hook.py --memories 100 1000 10000
	$(BIN)/python benchmarks/write.py 1000 10000
	$(BIN)/python benchmarks/index.py --memories 1000 10000
	$(BIN)/python benchmarks/history.py
	$(BIN)/python benchmarks/merge.py
	$(BIN)/python benchmarks/audit.py --rounds 5 --packed
	$(BIN)/python -m benchmarks.torture --kills 20 --writes 160
	$(BIN)/python -m pytest -q benchmarks

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml
	$(PIP) -e .
	@touch $@

$(VENV)/.test: $(VENV)/.run
	$(PIP) -e '.[test]'
	@touch $@

$(VENV)/.check: $(VENV)/.test
	$(PIP) -e '.[test,check]'
	@touch $@

clean:
	rm -rf $(VENV)
