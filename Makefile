# The commands of this project: `make` alone lists them. CMake does the building (CMakePresets.json).

PORT ?= 8000
SIZE ?= 1280x800
FUZZ_SECONDS ?= 600
SITE := build/web/site
BENCH_OPTIONS = $(if $(SIZES),--sizes "$(SIZES)") $(if $(ROUNDS),--rounds "$(ROUNDS)") \
  $(if $(START_ROUNDS),--start-rounds "$(START_ROUNDS)") $(if $(FRAMES),--frames "$(FRAMES)") $(if $(COMPARE),--compare "$(COMPARE)")

# Emscripten starts Python for every file. Where a version manager's python3 comes first on PATH, that takes a second.
export EMSDK_PYTHON ?= $(wildcard /usr/bin/python3)

.DEFAULT_GOAL := help
.PHONY: help demo test native run web dist npm sheet screens size bench bench-native bench-torch fixtures format lint fuzz clean

# How the program of a preset is built: configured (quick when nothing changed), then compiled.
define build
	@tools/configure $(1) > /dev/null
	@cmake --build --preset $(1) --target $(2)
endef

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: ## build the page, serve it on this machine and print its address (PORT=8000)
	@tools/install web
	@tools/serve.py --check --port $(PORT) $(SITE)
	$(call build,web,site)
	@tools/serve.py --port $(PORT) $(SITE)

test: ## run every test, or a part (ONLY="unit/ops browser/keyboard" FILTER='Softmax*'; ONLY=changed BASE=HEAD~3); last line: "N passed, N failed"
	@tools/install $(if $(filter-out unit unit/% optimised optimised/%,$(or $(ONLY),all)),tests,unit)
	@tests/run.py $(ONLY) $(if $(FILTER),--filter='$(FILTER)') $(if $(BASE),--base='$(BASE)') $(if $(AGAIN),--again)

native: ## build the desktop program and the command: build/native/attention-live
	@tools/install native
	$(call build,release,attention-live)

run: native ## build and open the desktop window
	@build/native/attention-live

web: ## build the page: build/web/site
	@tools/install web
	$(call build,web,site)

dist: web ## pack the page for any static host into dist/, with attention-live.html in one file
	@tools/install dist
	@tools/dist/posters.mjs $(SITE) build/posters
	@tools/dist/make.mjs $(SITE) dist --posters build/posters

npm: dist ## make the npm package, build/npm/attention-live-VERSION.tgz
	@tools/dist/npm.mjs $(SITE) build/npm --posters build/posters

sheet: ## every screen of the lesson in one picture, build/sheet/sheet.png (SIZE=1280x800, DARK=1)
	@tools/install native sheet
	$(call build,release,attention-live)
	@tests/sheet.py build/native/attention-live build/sheet/sheet.png --size $(SIZE) $(if $(DARK),--dark)

screens: web ## the pictures of docs/screens.md: six screens, light and dark, in three sizes
	@tools/install dist
	@ATTENTION_LIVE_SITE=$(SITE) tests/screens.mjs docs/screens

size: ## what the page's program is made of: the largest functions, what each room and library costs
	@tools/install web
	$(call build,web,attention-live-names site)
	@tests/bench/size.mjs build/web/names.wasm $(SITE)

bench: ## measure against other engines in Chromium (SIZES="9x512x8" ROUNDS=9 COMPARE=earlier.json)
	@tools/install bench
	$(call build,web,site)
	@tools/configure web -DATTENTION_LIVE_BENCH=ON > /dev/null
	@cmake --build --preset web --target bench-engine bench-training
	@tests/bench/bench.mjs build/web/tests/bench-engine.wasm build/web/tests/bench-training.wasm $(SITE) build/bench $(BENCH_OPTIONS)

bench-native: ## measure the parts of the computation as native code
	@tools/install bench-native
	@tools/configure release -DATTENTION_LIVE_BENCH=ON > /dev/null
	@cmake --build --preset release --target benchmarks
	@build/native/tests/benchmarks

bench-torch: native ## measure translating and training beside PyTorch (DATA=spa-eng.tsv: the translator's training, too)
	@tools/install bench-torch
	@tools/python torch tests/bench/translate.py build/native/attention-live
	@tools/python torch tests/bench/train.py build/native/attention-live
	@$(if $(DATA),tools/python torch tests/bench/train_translator.py build/native/attention-live $(DATA))

fixtures: ## make the reference numbers in tests/fixtures anew (needs PyTorch)
	@tools/install fixtures
	@tools/python torch tests/fixtures/make_fixtures.py
	@tools/python torch tests/fixtures/make_training_fixtures.py
	@tools/python torch tests/fixtures/make_gradients.py
	@tools/python torch tests/fixtures/make_translations.py
	@tools/python torch tests/fixtures/make_variants.py

fuzz: ## run the fuzzers for long (FUZZ_SECONDS=600, each)
	@tools/install tests
	@tests/run.py fuzz --fuzz-seconds $(FUZZ_SECONDS)

format: ## format the code
	@tools/install lint
	@tools/lint --fix

lint: ## check format, clang-tidy, shell scripts and the rules of the house
	@tools/install lint native
	@tools/lint

clean: ## remove everything that was built
	@rm -rf build dist
