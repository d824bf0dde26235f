# Everything a fresh machine with Python and a C compiler needs is set up in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = $(shell find gensim_bilbowa -name '__pycache__' -prune -o -type f -print)
DATA ?= ../shared/data

.PHONY: demo test lint docs compatibility soak quality defaults reproduce bench clean

demo: $(VENV)/installed
	$(BIN)/bilbowa demo

test: $(VENV)/installed
	$(BIN)/pytest

lint: $(VENV)/linters
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --python-executable $(BIN)/python gensim_bilbowa
	PATH="$(abspath $(BIN)):$$PATH" cython-lint gensim_bilbowa  # which runs pycodestyle

# Warnings are errors: names and links that lead nowhere, notebooks that fail, assets from afar.
docs: $(VENV)/sphinx
	rm -rf build/docs
	$(BIN)/sphinx-build --fresh-env --fail-on-warning --keep-going --nitpicky --quiet \
		docs build/docs
	@echo "build/docs/index.html"

# The tests with the oldest and the newest releases that are supported, on each Python that is here.
# TESTS are arguments of pytest, such as the files to run. Half an hour for all.
compatibility:
	.ci/compatibility $(TESTS)

# Faults again and again, for half an hour.
soak: $(VENV)/installed
	$(BIN)/python benchmarks/soak.py

# Word translation on real text, which is not part of this repository.
quality: $(VENV)/installed
	$(BIN)/python benchmarks/quality.py --data $(DATA)

defaults: $(VENV)/installed
	$(BIN)/python benchmarks/defaults.py --data $(DATA)

# The paper's experiments, into build/reproduce; half an hour on two cores.
reproduce: $(VENV)/installed
	$(BIN)/bilbowa reproduce $(DATA) -o build/reproduce

# Speed and memory beside gensim, into benchmarks/RESULTS.md; about an hour.
bench: $(VENV)/installed
	env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE $(BIN)/python benchmarks/bench.py --data $(DATA)

$(VENV)/bin/pip:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(VENV)/bin/pip pyproject.toml meson.build README.md LICENSE $(SOURCES)
	$(BIN)/pip install --quiet '.[test]'
	touch $@

$(VENV)/linters: $(VENV)/installed
	$(BIN)/pip install --quiet '.[lint]'
	touch $@

$(VENV)/sphinx: $(VENV)/installed
	$(BIN)/pip install --quiet '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
