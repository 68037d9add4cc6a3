# Each target is one line that calls a tool, and sets up what it needs; `make` alone lists them.
# TASK=t01 and RUNG=3 choose; ARGS=… is passed on (make test ARGS=-s); PYTHON=… names an interpreter for the set-up.
TASK ?= t01
READY = .venv/.installed
RUN = .venv/bin/python -m
OLD = import sys; sys.exit(sys.version_info < (3, 11))
UV = uv pip install --quiet --python .venv/bin/python --compile-bytecode
PIP = $(RUN) pip install --quiet --disable-pip-version-check
PINNED = --require-hashes -r requirements.lock
SELF = --no-deps --no-build-isolation -e .
NO_NEWS = --LabApp.news_url=None --LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate
LAB = $(NO_NEWS) --LabApp.extension_manager=readonly --ServerApp.root_dir=.
ROOT = $(if $(filter 0,$(shell id -u)),--allow-root)
KEEP_MINE = merge.learner.driver='cp %B %A'

# An editable install is found through a file that Python reads in the locale's encoding; a path may hold any letter.
ifneq ($(filter C POSIX,$(LC_ALL)),)
export LC_ALL = C.UTF-8
endif

# Apart from the other tests, as they take a minute and a half.
ZOO = tests/test_zoo.py tests/test_same_bytes.py

.PHONY: help install update lab ladder practice watch hint reset feedback grow live serve test zoo clients check web bench graders readme lock

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

install: $(READY) ## Set up .venv with everything (every other target does this by itself)

update: ## Fetch the newest askless; your agent and your notebooks stay as you left them
	@git -c $(KEEP_MINE) pull --rebase --autostash

lab: $(READY) ## Open JupyterLab on the first notebook
	@$(RUN) jupyterlab $(ROOT) $(LAB) notebooks/t01_fewer_tool_calls.ipynb $(ARGS)

ladder: $(READY) ## Run the worked rungs and print their counts in one table
	@$(RUN) askless ladder $(TASK) $(ARGS)

practice: $(READY) ## Run your agent and compare it with a rung's target (RUNG=2 for another rung)
	@$(RUN) askless practice $(TASK) $(if $(RUNG),--rung $(RUNG)) $(ARGS)

watch: $(READY) ## The same again each time you save your agent
	@$(RUN) askless practice $(TASK) $(if $(RUNG),--rung $(RUNG)) --watch $(ARGS)

hint: $(READY) ## One more hint
	@$(RUN) askless hint $(TASK) $(ARGS)

reset: $(READY) ## Give your agent its first text back; a dated copy of yours is kept
	@$(RUN) askless reset $(TASK) $(ARGS)

feedback: $(READY) ## Review what you wrote in learner/explain.md (ARGS=--offline: by code alone)
	@$(RUN) askless feedback $(TASK) $(ARGS)

grow: $(READY) ## What the worked rungs and your agent cost at 1, 10, 100 … 10,000 customers
	@$(RUN) askless grow $(TASK) $(ARGS)

live: $(READY) ## Your agent on the real API, within a budget; it asks first (RUNG=1 for a worked rung)
	@$(RUN) askless live $(TASK) $(if $(RUNG),$(RUNG),learner) $(ARGS)

serve: $(READY) ## Answer as the Messages API over HTTP, for agents in any language
	@$(RUN) askless serve $(TASK) $(ARGS)

test: $(READY) ## Measure everything again (ARGS=-s prints every rung's trace)
	@$(RUN) pytest $(if $(ARGS),$(ARGS),-n auto --dist loadfile --no-loadscope-reorder $(ZOO:%=--ignore=%))

zoo: $(READY) ## Judge the hostile agents of tests/zoo: each has its verdict, always in the same bytes
	@$(RUN) pytest -q $(ZOO) $(ARGS)

clients: $(READY) ## Install other clients of the Messages API for make test to try (wants npm)
	@$(RUN) tests.clients

check: $(READY) ## Lint, format, types and borders
	@$(RUN) ruff check .
	@$(RUN) ruff format --check .
	@$(RUN) mypy
	@$(RUN) pytest -q tests/test_borders.py

web: $(READY) ## Build the lessons as web pages in web/build, and serve them to this machine
	@$(RUN) askless web --serve $(ARGS)

bench: $(READY) ## Speed, as ratios against floors measured in the same run (ARGS=--json)
	@$(RUN) bench $(ARGS)

graders: $(READY) ## Install two graders of notebooks for make bench to compare with
	@$(RUN) bench.graders

readme: $(READY) ## Write the measured numbers and the picture into README.md
	@$(RUN) docs.readme

lock: ## Choose the newest versions of what askless needs (wants uv)
	@uv pip compile --quiet --upgrade --universal --generate-hashes --all-extras --custom-compile-command "make lock" pyproject.toml -o requirements.lock

$(READY): requirements.lock pyproject.toml | .venv/bin/python
	@echo "Installing askless into .venv (a minute or two, once) ..." >&2
	@if command -v uv >/dev/null; then $(UV) $(PINNED) && $(UV) $(SELF); else $(PIP) $(PINNED) && $(PIP) $(SELF); fi
	@$(RUN) compileall -q askless tasks worked
	@touch $@

.venv/bin/python:
	@for python in "$(PYTHON)" python3 python3.14 python3.13 python3.12 python3.11 python; do \
	  if "$$python" -c "$(OLD)" 2>/dev/null; then rm -rf .venv; "$$python" -m venv .venv || rm -rf .venv; break; fi; \
	done; test -x $@ || uv venv --quiet --python '>=3.11' .venv 2>/dev/null || { \
	  echo "askless needs Python 3.11 or newer with its venv module, and found none."; \
	  echo "Next: install it, or name one: make install PYTHON=/path/to/python3.12"; exit 2; } >&2
