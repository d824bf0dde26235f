# Everything a fresh machine with Python and a C compiler needs is set up in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SOURCES = $(shell find gensim_bilbowa -name '__pycache__' -prune -o -type f -print)
DATA ?= ../shared/data

.PHONY: demo test test-all busy levels neon wheel-windows test-windows lint docs sanitize asan tsan fuzz \
	coverage compatibility soak quality defaults reproduce bench clean

demo: $(VENV)/installed
	$(BIN)/bilbowa demo

# Tests beside each other, one on each core; `test` without those that are marked as slow.
BESIDE = -n auto --dist worksteal
test: $(VENV)/installed
	$(BIN)/pytest $(BESIDE)

test-all: $(VENV)/installed
	$(BIN)/pytest $(BESIDE) -m ''

# All tests, or TESTS, on a machine that is busy with other things: no result depends on that.
busy: $(VENV)/installed
	PATH="$(abspath $(BIN)):$$PATH" .ci/busy $(BESIDE) -m '' $(TESTS)

# Training with the kernels of every instruction set that the processor has besides its best one.
levels: $(VENV)/installed
	for level in $$($(BIN)/python -P -c \
		"from gensim_bilbowa import kernels; print(*kernels.levels()[1:])"); do \
		echo "$$level"; GENSIM_BILBOWA_LEVEL=$$level $(BIN)/pytest -q -m '' \
		$(addprefix tests/test_, model.py freezing.py subwords.py updating.py diverging.py) || exit 1; \
	done
	if command -v qemu-aarch64 && command -v aarch64-linux-gnu-gcc; then $(MAKE) neon; else echo \
		"not tried: neon (Debian's packages qemu-user and gcc-aarch64-linux-gnu are wanted)"; fi

# The kernels for AArch64 in an emulator, if there is one; two minutes.
neon: $(VENV)/cross
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python .ci/cross/wheel.py aarch64 build/aarch64/dist
	$(BIN)/python .ci/cross/emulated.py build/aarch64/dist/*.whl -q $(addprefix tests/test_, \
		kernels.py kernel_border.py text_kernels.py subword_kernels.py spans.py aligning.py)

# The wheel for 64-bit Windows, made here by MinGW-w64 (Debian: gcc-mingw-w64-x86-64), into dist/.
wheel-windows: $(VENV)/cross
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python .ci/cross/wheel.py windows dist

# The tests with that wheel under Wine (Debian: wine wine64), and files given from one system to the
# other; three quarters of an hour. TESTS are arguments of pytest.
test-windows: wheel-windows $(VENV)/installed
	$(BIN)/python .ci/cross/wine.py dist/gensim_bilbowa-*-win_amd64.whl $(TESTS)

lint: $(VENV)/linters
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --python-executable $(BIN)/python
	for system in win32 darwin; do $(BIN)/mypy --platform $$system \
		--python-executable $(BIN)/python gensim_bilbowa || exit 1; done
	PATH="$(abspath $(BIN)):$$PATH" cython-lint gensim_bilbowa  # which runs pycodestyle

# Warnings are errors: names and links that lead nowhere, notebooks that fail, assets from afar.
docs: $(VENV)/sphinx
	rm -rf build/docs
	$(BIN)/sphinx-build --fresh-env --fail-on-warning --keep-going --nitpicky --quiet \
		docs build/docs
	@echo "build/docs/index.html"

# The kernels built with AddressSanitizer and UndefinedBehaviorSanitizer, then with ThreadSanitizer:
# nothing is shared between threads that have matrices of their own, and on common matrices nothing
# but what tests/support/tsan.supp says. GCC's, for its runtime is loaded before Python.
SANITIZED = tests/support/sanitized.sh $(BIN)/python
sanitize: asan tsan

asan: $(VENV)/installed
	CC=gcc $(SANITIZED) asan address,undefined \
		$(addprefix tests/test_, kernels.py kernel_border.py text_kernels.py subword_kernels.py \
		aligning.py spans.py workers.py) \
		$(addprefix tests/test_reading.py::test_, words_are_those_of_split \
		utf8_is_refused_where_decode_refuses_it table_grows_and_keeps_the_order \
		tables_merge_in_the_order_of_places vocabulary_gives_the_ids_it_was_given \
		two_files_are_encoded_as_in_python tables_are_encoded_as_in_python)

tsan: $(VENV)/installed
	CC=gcc $(SANITIZED) tsan thread tests/test_workers.py \
		tests/test_aligning.py::test_result_does_not_depend_on_the_number_of_workers \
		tests/test_links.py::test_links_do_not_depend_on_the_number_of_workers_or_on_the_parts \
		tests/test_draws.py::test_draws_do_not_depend_on_the_number_of_workers \
		tests/test_faults.py::test_model_is_usable_after_an_error
	CC=gcc TSAN_OPTIONS=suppressions=$(CURDIR)/tests/support/tsan.supp $(SANITIZED) tsan thread \
		$(addprefix tests/test_faults.py::test_error_of_a_, worker_reaches_the_caller \
		callback_reaches_the_caller)

# Lines and branches of Python, lines of Cython, that the tests run; into build/coverage. Cython finds
# the lines of its modules only next to them, and from the folder that they were compiled in.
COVERED ?= tests
TRACED = $(CURDIR)/build/coverage/site
coverage: $(VENV)/installed
	$(BIN)/pip install --quiet coverage 'Cython>=3.2'
	rm -rf $(TRACED)
	$(BIN)/pip install --quiet --no-deps --target $(TRACED) -Cbuild-dir=build/coverage/meson \
		-Csetup-args=-Dlinetrace=true -Csetup-args=-Dpython.allow_limited_api=false .
	cp gensim_bilbowa/kernels/*.p[xy][dx] $(TRACED)/gensim_bilbowa/kernels/
	for source in gensim_bilbowa/kernels/*.pyx; do name=$$(basename $$source .pyx); \
		cp build/coverage/meson/gensim_bilbowa/kernels/$$name.*.so.p/$$name.pyx.c \
			$(TRACED)/gensim_bilbowa/kernels/$$name.c || exit 1; done
	cd $(TRACED) && export PYTHONPATH=$(TRACED) COVERAGE_RCFILE=$(CURDIR)/pyproject.toml && \
		$(abspath $(BIN))/coverage run -m pytest -q -p no:cacheprovider -m '' \
		-c $(CURDIR)/pyproject.toml --rootdir $(CURDIR) $(addprefix $(CURDIR)/,$(COVERED)); \
		status=$$?; \
		$(abspath $(BIN))/coverage combine --quiet && \
		$(abspath $(BIN))/coverage report && exit $$status

# Every reader of files on what atheris makes of them, for so many seconds each.
FUZZ_SECONDS ?= 60
fuzz: $(VENV)/installed
	$(BIN)/pip install --quiet atheris
	$(BIN)/python tests/fuzz/with_atheris.py all -max_total_time=$(FUZZ_SECONDS)

# The tests with the oldest and the newest releases that are supported, on each Python that is here.
# TESTS are arguments of pytest, such as the files to run. Half an hour for all.
compatibility:
	.ci/compatibility $(TESTS)

# Faults again and again, for half an hour.
soak: $(VENV)/installed
	$(BIN)/python benchmarks/soak.py

# Word translation, topics and terms on real text, which is not part of this repository; MORE is a
# folder of further glossaries with text.
quality: $(VENV)/installed
	$(BIN)/python benchmarks/quality.py --data $(DATA)
	$(BIN)/python benchmarks/terms.py --data $(DATA) $(addprefix --more ,$(MORE))

defaults: $(VENV)/installed
	$(BIN)/python benchmarks/defaults.py --data $(DATA)

# The paper's experiments, into build/reproduce; some twenty minutes on two cores.
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

$(VENV)/cross: $(VENV)/bin/pip
	$(BIN)/pip install --quiet 'meson-python>=0.18' 'meson>=1.10' ninja 'Cython>=3.2' wheel abi3audit \
		abi3info pefile
	touch $@

# Of the package that is installed, what an extra names: it is not built again.
$(VENV)/linters: $(VENV)/installed
	$(BIN)/pip install --quiet 'gensim-bilbowa[lint]'
	touch $@

$(VENV)/sphinx: $(VENV)/installed
	$(BIN)/pip install --quiet 'gensim-bilbowa[docs]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
