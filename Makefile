# ugp_explorer: the commands a person needs. `make help` lists them.

GO  ?= go
OUT ?= out/demo

# The pure Go build needs no C compiler; only the race detector does.
export CGO_ENABLED ?= 0

# Some distributions keep Go from fetching the release that go.mod names.
export GOTOOLCHAIN ?= auto

# What is built and tested for a graph over DDS.
DDS := CGO_ENABLED=1 $(GO)
DDS_TESTS := ./node/ros/... ./node/process ./node/cmd/ugp ./node/simulation

.PHONY: help demo sim test lint race bench ugp ros ros-test ros-asan clean need-go need-cc need-fastdds need-cyclone

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: need-go ## explore the shipped synthetic field in simulated time, result in out/demo
	$(GO) run ./node/cmd/ugp demo --out $(OUT)

sim: ros ## the same with the four nodes as processes of a ROS 2 graph, result in out/sim
	bin/ugp sim

test: lint ## vet, staticcheck and every test, those over DDS on loopback too
	$(GO) test ./...
	$(MAKE) ros-test

lint: need-go
	@unformatted=$$($(GO) run cmd/gofmt -l gp localization planner sim msgs node); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

race: need-go need-cc ## every test that needs no DDS under the race detector
	CGO_ENABLED=1 $(GO) test -race ./...

bench: need-go ## every benchmark, six times, for benchstat
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./...

ugp: need-go ## build the program into bin/
	$(GO) build -o bin/ugp ./node/cmd/ugp

ros: need-go need-fastdds ## build the program and the four nodes for a ROS 2 graph over DDS into bin/
	$(DDS) build -tags fastdds -o bin/ ./node/cmd/...

ros-test: need-go need-fastdds need-cyclone ## test what goes over DDS, on loopback
	$(DDS) vet -tags fastdds $(DDS_TESTS)
	$(DDS) test -tags fastdds $(DDS_TESTS)

# The library deletes some objects by a type of another size (seen with 2.9.1).
ros-asan: need-go need-fastdds need-cyclone ## test the DDS transport under AddressSanitizer
	ASAN_OPTIONS=new_delete_type_mismatch=0 CGO_CXXFLAGS="$$CGO_CXXFLAGS -g -fsanitize=address" \
	$(DDS) test -asan -tags fastdds ./node/ros/fastdds

clean: ## remove what the other targets made
	rm -rf bin out

# $(call install,what for,packages) installs Debian's or Ubuntu's packages.
install = { \
	  echo "$(1): installing the distribution's $(2)"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && $$sudo apt-get install -qy $(2); }

need-go:
	@command -v $(GO) >/dev/null || $(call install,Go is missing,golang-go)
	@case "$$($(GO) env GOVERSION)" in go1.[0-9].*|go1.1[0-9]*|go1.20*) \
	  echo "$$($(GO) env GOVERSION) is too old: Go 1.21 or newer is needed, as in Debian's backports" >&2; exit 1;; esac

need-cc:
	@command -v cc >/dev/null || $(call install,a C compiler is missing,gcc libc6-dev)

# A sourced ROS 2 has a Fast DDS of its own, which CGO_CXXFLAGS and CGO_LDFLAGS
# may name instead.
need-fastdds: need-cc
	@{ [ -n "$$CGO_CXXFLAGS" ] || [ -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp ]; } && command -v c++ >/dev/null || \
	  $(call install,the DDS transport needs Fast DDS,libfastrtps-dev g++)

# The tests' other side is of another maker, and one finds its peers by a server.
need-cyclone:
	@command -v idlc >/dev/null && [ -e /usr/include/dds/dds.h ] && command -v fast-discovery-server >/dev/null || \
	  $(call install,the tests need an independent DDS,cyclonedds-dev cyclonedds-tools fastdds-tools)
