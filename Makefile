# The two commands of the README, and a few more. `make help` lists them.
.PHONY: help demo test test-all build wheel tarball deb docs format tidy mutants fuzz clean

RELEASE := build/release
LARMOR := $(RELEASE)/larmor
PYTHON := .venv/bin/python

help:            ## list the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*##/\t/' | expand -t 12

demo:            ## install what is missing, build, run the spin-wave study, draw it
	@tools/setup.sh run
	@cmake --preset release -DLARMOR_TESTS=OFF -DLARMOR_BENCH=OFF -DLARMOR_CUDA=OFF -DLARMOR_NATIVE=ON -B build/demo \
	  > build-demo.log || { cat build-demo.log; exit 1; }
	@rm -f build-demo.log
	@cmake --build build/demo --target larmor_cli
	@mkdir -p results
	@build/demo/larmor run examples/spin-waves-square/study.toml \
	  --output results/spin-waves-square.h5 --force
	@build/demo/larmor show results/spin-waves-square.h5
	@PYTHONPATH=python $(PYTHON) -m larmor plot results/spin-waves-square.h5 \
	  --output results --force
	@echo "results:  results/spin-waves-square.h5"
	@echo "pictures: $$(ls results/*.png | tr '\n' ' ')"

build:           ## build everything, for processors of every kind (build/release)
	@cmake --preset release > /dev/null
	@cmake --build $(RELEASE)

test:            ## install what is missing, build for this machine's processor, test every engine
	@tools/setup.sh test
	@cmake --preset release -DLARMOR_NATIVE=ON -B build/test > build-test.log 2>&1 \
	  || { cat build-test.log; exit 1; }
	@rm -f build-test.log
	@$(MAKE) --no-print-directory tested BUILD=build/test WHICH="-LE depth"

test-all:        ## the same for processors of every kind, and what takes long: before a release
	@tools/setup.sh test
	@cmake --preset release > /dev/null
	@$(MAKE) --no-print-directory tested BUILD=$(RELEASE)

.PHONY: tested
tested:
	@cmake --build $(BUILD)
	@rm -f $(BUILD)/tests.xml
	@ctest --test-dir $(BUILD) -j2 $(WHICH) --output-on-failure --output-junit tests.xml \
	  --test-output-size-passed 1000000; status=$$?; \
	  $(PYTHON) tools/build_cost.py $(BUILD) > $(BUILD)/build-cost.txt; \
	  $(PYTHON) tools/closing_lines.py $(BUILD)/tests.xml; exit $$status

# Settings of CMake for packages, as `make wheel PACKAGE="-DLARMOR_CUDA=OFF"`.
PACKAGE :=
PACKAGES := build/packages

wheel:           ## build a wheel for pip (build/packages)
	@tools/setup.sh package
	@packaging/wheel.sh $(PACKAGES) $(PACKAGE)

tarball:         ## build an archive for any Linux of glibc 2.36 or newer (build/packages)
	@tools/setup.sh package
	@packaging/archives.sh TGZ $(PACKAGES) $(PACKAGE)

deb:             ## build packages for Debian and Ubuntu (build/packages)
	@tools/setup.sh package
	@packaging/archives.sh DEB $(PACKAGES) $(PACKAGE)

docs:            ## build the documentation into build/docs
	@tools/setup.sh test
	@.venv/bin/sphinx-build -W -q -b html docs build/docs
	@echo "build/docs/index.html"

format:          ## lay out all C++ code
	@find larmor bench cli module tests -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' | xargs clang-format -i

tidy:            ## run clang-tidy (slow)
	@$(MAKE) --no-print-directory build
	@cmake --build $(RELEASE) --target tidy

mutants:         ## break the physics on purpose: a test must notice each time (half an hour)
	@tools/setup.sh test
	@$(PYTHON) tools/mutants.py

# `make fuzz SECONDS=600 READERS="study toml"`; all readers if none is named.
SECONDS := 60
READERS :=

fuzz:            ## read mutated files of every kind, with sanitizers (a minute for each reader)
	@tools/setup.sh test
	@tools/setup.sh fuzz
	@cmake --preset release -DLARMOR_NATIVE=ON -B build/test > /dev/null
	@cmake --build build/test --target larmor_fuzz
	@tests/fuzz/run.sh $(SECONDS) $(READERS)

clean:           ## remove all that was built
	@rm -rf build
