# Copyright 2026 the authors of ugp_explorer
# SPDX-License-Identifier: Apache-2.0

# ugp_explorer: the commands that a user or developer needs; `make help` lists them.

GO  ?= go
OUT ?= out/demo
SEEDS ?= 1-1000

# Runs GO or, where GO is too old, the release that go.mod names, which is fetched first.
go := .ci/go $(GO)

# The pure Go build needs no C compiler; only the race detector does.
export CGO_ENABLED ?= 0

# Some distributions keep Go from fetching the release that go.mod names.
export GOTOOLCHAIN ?= auto

# Programs, tests and checks have the same flags, so that each package is compiled once for all of them, with and without a C compiler:
# Go's own resolver of names, where packages would else differ, and position-independent code, as the Debian package has it.
flags := -trimpath -buildmode=pie -tags=netgo,osusergo
export GOFLAGS := $(filter-out $(flags),$(shell $(GO) env GOFLAGS 2>/dev/null)) $(flags)

# Many tests wait, for browsers and other processes: twice as many run at a time as there are processors.
twice = $$((2 * $$(getconf _NPROCESSORS_ONLN)))
waiting = -p $(twice) -parallel $(twice) -timeout 30m

# Go's cache would share what cgo made between copies of this folder, but vet then looks for the source where it was first compiled, and
# fails if that is gone. With the folder in a flag, each copy has its own.
CGO := CGO_ENABLED=1 CGO_CPPFLAGS="$$CGO_CPPFLAGS -ffile-prefix-map=$(CURDIR)=."
# $(call dds,compiler) runs Go for a graph over DDS. Fast DDS 3, of Debian 13 and ROS 2 Kilted, has another name; the headers that the compiler
# finds decide. Tags on the command line would have vet look at everything again.
dds = $(CGO) GOFLAGS="$$GOFLAGS -tags=netgo,osusergo,$$(echo '\#include <fastdds/config.hpp>' | $(1) $$CGO_CXXFLAGS -E -x c++ - >/dev/null 2>&1 && echo fastdds,fastdds3 || echo fastdds)" $(go)
DDS = $(call dds,c++)
DDS_ARM64 = CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ GOARCH=arm64 $(call dds,aarch64-linux-gnu-g++)
DDS_TESTS := ./node/ros/fastdds ./node/ros/interop ./node/process
# Of these only the tests in files with the tag: the others do not change with it.
DDS_SOME := ./node/replay ./node/cmd/ugp ./node/simulation
dds-some = '^('$$(grep -l '^//go:build fastdds' $(DDS_SOME:%=%/*_test.go) | xargs sed -n 's/^func \(Test[A-Za-z0-9]*\)(t .*/\1/p' | paste -sd '|')')$$'

# The same through the rcl of ROS 2 Humble, each of whose packages has a folder of headers.
RCLGO := $(CGO) CGO_CFLAGS="$$CGO_CFLAGS $$(for d in $$(echo $$AMENT_PREFIX_PATH | tr : ' '); do printf -- '-I%s ' $$d/include/*; done)" \
  CGO_LDFLAGS="$$CGO_LDFLAGS $$(for d in $$(echo $$AMENT_PREFIX_PATH | tr : ' '); do printf -- '-L%s/lib -Wl,-rpath,%s/lib ' $$d $$d; done)-L$(CURDIR)/out/rmw" $(go)

.PHONY: help demo say-needs sim faults day web-demo size test test-lint test-whole test-own test-arm64 test-arm64-short lint race cover bench bench-check bench-limbo bench-peers ugp deb deb-test deb-arm64 ros ros-arm64 ros-test ros-asan ros-rclgo ros-rclgo-test sbom vuln reproducible clean need-go need-cc need-fastdds need-fastdds-arm64 need-cyclone need-openssl need-sdformat need-gdal need-chromium need-axe need-qemu need-humble need-dpkg-dev need-lintian

help: ## list the commands
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: need-go ## explore the shipped synthetic field in simulated time; result in out/demo
	@echo "Compiling, which takes minutes the first time, then exploring a field."
	$(go) run ./node/cmd/ugp demo --out $(OUT)

sim: ros ## explore that field with five nodes as processes of a ROS 2 graph over DDS; result in out/sim
	bin/ugp sim

WEB ?= out/web-demo
web-demo: need-go ## build the demonstration for a browser, as static files that any server can serve, in out/web-demo
	rm -rf $(WEB) && mkdir -p $(WEB)/app
	GOOS=js GOARCH=wasm $(go) build -buildmode=exe -ldflags='-s -w' -o $(WEB)/demo.wasm ./node/web/demo
	gzip $(WEB)/demo.wasm
	cp node/web/demo/*.js "$$($(go) env GOROOT)/lib/wasm/wasm_exec.js" $(WEB)
	cp node/web/assets/* node/painter/assets/* $(WEB)/app
	sed 's|"/app/|"app/|; s|^<script type="module"|<script type="module" src="bridge.js"></script>\n&|' $(WEB)/app/index.html > $(WEB)/index.html
	@echo "The demonstration is in $(WEB), $$(du -sh $(WEB) | cut -f1). A server shows it: python3 -m http.server -d $(WEB), then http://localhost:8000/"

faults: need-go ## run missions under faults, with the seeds SEEDS=A-B, and hold the verdicts of 1-300 and all resumed missions
	GOLDEN=all $(go) test ./node/simulation -run TestGoldenResume
	$(go) test ./node/simulation/faults -run TestSeeds -timeout 0 -v -seeds $(SEEDS)

DAY ?= --hours 24
day: ros ## run the nodes for a simulated day over DDS, kill the explorer every hour, and measure; result in out/day
	$(DDS) test ./node/cmd/ugp -run '^TestDay$$' -timeout 0 -v -day "--bin $(CURDIR)/bin --out $(CURDIR)/out/day $(DAY)"

# Before anything is installed.
say-needs:
	@echo "The tests need, and this installs as root or with sudo what is missing of: libfastrtps-dev g++ cyclonedds-dev cyclonedds-tools fastdds-tools openssl ignition-tools libsdformat-dev gdal-bin chromium qemu-user-static dpkg-dev lintian"

# First comes what a machine may lack, so that apt never runs twice at a time, and then vet, which compiles what all others need. Tests over
# DDS wait much, so they and the linters run side by side; linters leave the processors to tests.
test: say-needs need-go need-fastdds need-cyclone need-openssl need-sdformat need-gdal need-chromium need-axe need-dpkg-dev need-lintian ## run vet, linters and every test, also those over DDS on loopback; fails below the floors of coverage
	rm -rf out/cover
	$(go) vet ./...
	$(MAKE) -j2 --no-print-directory test-lint ros-test
	$(MAKE) -j2 --no-print-directory test-whole test-own
	$(MAKE) -j2 --no-print-directory test-arm64-short deb-test
	$(MAKE) cover

test-lint:
	nice $(MAKE) --no-print-directory lint sbom

# A test counts for its own folder, for which little is compiled anew. These tests count for all folders. Little imports them, so they share
# what is compiled to count, and so does the program with which node/cmd counts what a mission executes.
TESTS_WHOLE := ./node/simulation ./node/cmd ./node/cmd/ugp ./node/explorer ./planner/field
tests-own = $$($(go) list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./... | grep -vx $(TESTS_WHOLE:./%=-e ugp_explorer/%))
counting = $(1) test -vet=off $(waiting) -coverprofile=$(CURDIR)/out/cover/$(2)

test-whole: need-go
	mkdir -p out/cover
	$(call counting,$(go),whole) -covermode=count -coverpkg=./gp/...,./localization/...,./planner/...,./sim/...,./node/... $(TESTS_WHOLE)

test-own: need-go
	mkdir -p out/cover
	$(call counting,$(go),own) $(tests-own)

COVER ?=
cover: need-go ## print which share of its statements the last `make test` executed, for each folder; fails below the floors
	$(go) run .ci/cover/main.go $(COVER) out/cover/*

# On another processor the tests for arm64 run under qemu, which takes ten times as long. Position-independent programs would need arm64's C
# library there.
ARM64 := GOARCH=arm64 GOFLAGS='$(filter-out -buildmode=pie,$(GOFLAGS))' UGP_TEST_EMULATOR=qemu-aarch64-static $(go) test -exec qemu-aarch64-static -short -timeout 2h
ARM64_TESTS ?= ./gp/... ./planner/... ./localization/... ./msgs/... ./sim/... ./node/...

test-arm64: need-go need-qemu ## run the tests of the pure Go part for arm64, under qemu on another processor
	$(ARM64) $(ARM64_TESTS)

# A minute of them: kernels, where the compiler rounds otherwise, and a demonstration that must choose the same targets as on this processor.
ARM64_SHORT := $(ARM64) -vet=off ./gp/internal/kernel && UGP_TEST_EMULATOR=qemu-aarch64-static $(go) test -vet=off -v ./node/simulation/processors

test-arm64-short: need-go ## run a minute of test-arm64: kernels, and a mission that must be the same
	@[ "$$($(go) env GOHOSTARCH)" = arm64 ] || command -v qemu-aarch64-static >/dev/null || $(MAKE) need-qemu || true
	@if [ "$$($(go) env GOHOSTARCH)" = arm64 ]; then echo "nothing is emulated: this machine's own processor is arm64"; \
	elif ! command -v qemu-aarch64-static >/dev/null; then \
	  echo "nothing was tested for arm64: there is no qemu-aarch64-static, and qemu-user-static could not be installed" >&2; \
	else set -x; $(ARM64_SHORT); fi

lint: need-go ## run gofmt, vet and the linters
	@unformatted=$$($(go) run cmd/gofmt -l .ci gp localization planner sim msgs node internal); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(go) vet ./...
	GOGC=800 $(go) run -modfile=.ci/lint/go.mod .ci/lint/main.go ./...

race: need-go need-cc ## run every test that needs no DDS under the race detector
	CGO_ENABLED=1 $(go) test -race -buildmode=exe -timeout 1h ./...

bench: need-go ## run every benchmark six times, for benchstat
	$(go) test -run '^$$' -bench . -benchmem -count 6 ./...

BASE ?= origin/main
bench-check: need-go ## run the benchmarks of hot paths and those of the commit BASE in turns; fails if one is slower by more than 10 %
	.ci/bench $(GO) $(BASE)

bench-limbo: need-go ## run limbo's benchmark on our planner: medians of 20 runs on one processor
	$(go) test -run '^$$' -bench Limbo -benchtime 20x -cpu 1 ./planner

bench-peers: need-go ## run fits and predictions beside those of scikit-learn and gstat, which are Debian packages, where they are installed
	$(go) test -run '^$$' -bench Peers -benchtime 1x -cpu 1 -v ./gp/fit

ugp: need-go ## build the program ugp into bin/, without DDS
	$(go) build -buildmode=exe -o bin/ugp ./node/cmd/ugp

ros: need-go need-fastdds ## build ugp and the five nodes into bin/, for a ROS 2 graph over DDS
	$(DDS) build -o bin/ ./node/cmd/...

ros-arm64: need-go need-fastdds-arm64 ## cross-compile ugp and the nodes for arm64 into bin/arm64/, on Debian's or Ubuntu's packages for it
	$(DDS_ARM64) build -o bin/arm64/ ./node/cmd/...

# The robot's programs, its services and launch files, for the release of this computer.
deb: need-go need-fastdds need-dpkg-dev ## pack programs, launch files and services for the release of this computer, as a Debian package in out/
	$(DDS) build -ldflags='-s -w' -o out/deb/ ./node/cmd/...
	launch/debian/build "$(go)" out/deb $$(dpkg --print-architecture) out $(XZ)

deb-test: XZ = 1 # a sixth of the time, for a package that is a third larger
deb-test: deb need-lintian ## check the Debian package with lintian, unpack it, and run a mission from it
	launch/debian/test "$$(ls -t out/*.deb | head -1)"

deb-arm64: need-go need-fastdds-arm64 need-dpkg-dev ## the same for arm64, on Debian's or Ubuntu's packages for it
	$(DDS_ARM64) build -ldflags='-s -w' -o out/deb-arm64/ ./node/cmd/...
	launch/debian/build "$(go)" out/deb-arm64 arm64 out

# Programs that tests start write what they executed to a new folder: the tests are run again, because Go's cache has nothing of it.
ros-test: need-go need-fastdds need-cyclone need-openssl ## run the tests of everything that uses DDS, on loopback
	$(DDS) vet $(DDS_TESTS) $(DDS_SOME)
	mkdir -p out/cover
	programs=$$(mktemp -d $(CURDIR)/out/programs.XXXXXX) && export UGP_TEST_COVERDIR=$$programs && \
	$(call counting,$(DDS),dds) -count 1 $(DDS_TESTS) && \
	$(go) tool covdata textfmt -i=$$programs -o=out/cover/dds-programs && rm -r $$programs
	$(DDS) test -vet=off -p 1 -timeout 30m $(DDS_SOME) -run $(dds-some)
	@if [ "$$ROS_DISTRO" = humble ] && [ -n "$$AMENT_PREFIX_PATH" ]; then $(MAKE) ros-rclgo-test; \
	else echo "the transport rclgo was not tested: no ROS 2 Humble is sourced"; fi

ros-rclgo: need-go need-cc need-humble ## build ugp and the five nodes into bin/, for the rcl of a sourced ROS 2 Humble
	$(RCLGO) build -tags rclgo -o bin/ ./node/cmd/...

ros-rclgo-test: need-go need-cc need-humble ## run the tests of the transport through rcl, with the middlewares that are installed
	$(RCLGO) vet -tags rclgo ./node/ros/rclgo ./node/process ./node/cmd/...
	$(RCLGO) test -tags rclgo ./node/ros/rclgo

# The library deletes some objects by a type of another size (seen with 2.9.1).
ros-asan: need-go need-fastdds need-cyclone need-openssl ## run the tests of the DDS transport under AddressSanitizer
	ASAN_OPTIONS=new_delete_type_mismatch=0 CGO_CXXFLAGS="$$CGO_CXXFLAGS -g -fsanitize=address" \
	$(DDS) test -asan ./node/ros/fastdds

size: need-go ## print how large the project is: lines, parameters, the explorer's program, documents
	@$(go) run .ci/size/main.go

sbom: need-go ## write the modules in ugp with their licences to out/sbom.json (CycloneDX); fails on a licence that does not fit ours
	@mkdir -p out
	$(go) build -buildvcs=false -o out/sbom.ugp ./node/cmd/ugp
	cd .ci/sbom && ../go $(GO) run . $(CURDIR)/out/sbom.ugp > $(CURDIR)/out/sbom.json
	@rm out/sbom.ugp; echo "out/sbom.json: $$(grep -c '"type": "library"' out/sbom.json) modules"

vuln: need-go ## look for known weaknesses in ugp and what it is made of; needs https://vuln.go.dev
	$(go) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 ./...

reproducible: need-go ## build ugp twice, in two folders and with empty caches, and compare the bytes
	@mkdir -p out; for i in 1 2; do dir=$$(mktemp -d) && git archive HEAD | tar x -C $$dir && \
	  (cd $$dir && GOCACHE=$$dir/cache $(abspath .ci/go) $(GO) build -buildvcs=false -o $(CURDIR)/out/ugp.$$i ./node/cmd/ugp) || exit 1; \
	  rm -rf $$dir; done
	sha256sum out/ugp.1 out/ugp.2
	@cmp out/ugp.1 out/ugp.2 && rm out/ugp.1 out/ugp.2

clean: ## remove bin/ and out/
	rm -rf bin out

# $(call install,what for,packages) installs Debian's or Ubuntu's packages.
install = { \
	  echo "$(1): installing the distribution's $(2)"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -qy $(2); }

need-go:
	@command -v $(GO) >/dev/null || $(call install,Go is missing,golang-go)
	@$(go) version >/dev/null

need-cc:
	@command -v cc >/dev/null || $(call install,a C compiler is missing,gcc libc6-dev)

# A sourced ROS 2 has a Fast DDS of its own, which CGO_CXXFLAGS and CGO_LDFLAGS
# may name instead.
need-fastdds: need-cc
	@{ [ -n "$$CGO_CXXFLAGS" ] || [ -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp ]; } && command -v c++ >/dev/null || \
	  $(call install,the DDS transport needs Fast DDS,libfastrtps-dev g++)

# The library for arm64 installs beside this processor's (multiarch). The programs run where the same release is.
need-fastdds-arm64:
	@command -v aarch64-linux-gnu-g++ >/dev/null && ls /usr/lib/aarch64-linux-gnu/libfast*s.so >/dev/null 2>&1 || { \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; $$sudo dpkg --add-architecture arm64; \
	  $(call install,programs for arm64 need its compiler and Fast DDS,g++-aarch64-linux-gnu libfastrtps-dev:arm64); }

need-humble:
	@[ "$$ROS_DISTRO" = humble ] && [ -n "$$AMENT_PREFIX_PATH" ] || { \
	  echo "ROS_DISTRO is \"$$ROS_DISTRO\": source ROS 2 Humble first, as with: source /opt/ros/humble/setup.sh" >&2; exit 1; }
	@.ci/rmw out/rmw $$(echo $$AMENT_PREFIX_PATH | tr : ' ')

# The tests' other side is of another maker, and one finds its peers by a server.
need-cyclone:
	@command -v idlc >/dev/null && [ -e /usr/include/dds/dds.h ] && command -v fast-discovery-server >/dev/null || \
	  $(call install,the tests need an independent DDS,cyclonedds-dev cyclonedds-tools fastdds-tools)

# Tests sign the files of keystores with it, as ros2 security does.
need-openssl:
	@command -v openssl >/dev/null || $(call install,the tests make keystores with openssl,openssl)

# The command that checks the worlds and models for Gazebo. Not every distribution has it; without
# it that test is skipped.
need-sdformat:
	@ign sdf --versions >/dev/null 2>&1 || gz sdf --versions >/dev/null 2>&1 || \
	  $(call install,the tests check SDF files with libsdformat,ignition-tools libsdformat-dev) || true

# The programs with which the tests read the exported maps; without them these tests are skipped.
need-gdal:
	@command -v gdalinfo >/dev/null && command -v ogr2ogr >/dev/null || \
	  $(call install,the tests read exported maps with GDAL,gdal-bin) || true

# dpkg-dev finds the libraries that the programs need.
need-dpkg-dev:
	@command -v dpkg-shlibdeps >/dev/null || $(call install,a package is made with dpkg-dev,dpkg-dev)

need-lintian:
	@command -v lintian >/dev/null || $(call install,the package is checked with lintian,lintian)

need-qemu:
	@command -v qemu-aarch64-static >/dev/null || $(call install,the tests for arm64 need an emulator,qemu-user-static)

# The browser in which the page is tested. Ubuntu has it as a snap only; without it that test is
# skipped.
need-chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  $(call install,the tests look at the page in a browser,chromium) || true

# The program that checks the page for people who use a keyboard or a screen reader; without it the
# tests leave that out, and say so.
need-axe:
	@.ci/axe || echo "axe-core could not be fetched: the tests do not check the page with it" >&2
