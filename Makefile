# ugp_explorer: the commands a person needs. `make help` lists them.

GO  ?= go
OUT ?= out/demo

# The pure Go build needs no C compiler; only the race detector does.
export CGO_ENABLED ?= 0

# Some distributions keep Go from fetching the release that go.mod names.
export GOTOOLCHAIN ?= auto

.PHONY: help demo test lint race bench ugp ros ros-test clean need-go need-cc need-fastdds

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: need-go ## explore the shipped synthetic field in simulated time, result in out/demo
	$(GO) run ./node/cmd/ugp demo --out $(OUT)

test: lint ## vet, staticcheck and every test
	$(GO) test ./...

lint: need-go
	@unformatted=$$($(GO) run cmd/gofmt -l gp localization planner sim msgs node); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

race: need-go need-cc ## every test under the race detector
	CGO_ENABLED=1 $(GO) test -race ./...

bench: need-go ## every benchmark, six times, for benchstat
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./...

ugp: need-go ## build the program into bin/
	$(GO) build -o bin/ugp ./node/cmd/ugp

ros: need-go need-fastdds ## build the four nodes for a ROS 2 graph over DDS into bin/
	CGO_ENABLED=1 $(GO) build -tags fastdds -o bin/ ./node/cmd/explorer ./node/cmd/follower ./node/cmd/ekf ./node/cmd/fieldsim

ros-test: need-go need-fastdds ## test the DDS transport over loopback
	CGO_ENABLED=1 $(GO) test -tags fastdds ./node/ros/... ./node/process

clean: ## remove what the other targets made
	rm -rf bin out

need-go:
	@command -v $(GO) >/dev/null || { \
	  echo "Go is missing: installing the distribution's golang-go"; \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy golang-go; \
	  else sudo apt-get update -q && sudo apt-get install -qy golang-go; fi; }
	@case "$$($(GO) env GOVERSION)" in go1.[0-9].*|go1.1[0-9]*|go1.20*) \
	  echo "$$($(GO) env GOVERSION) is too old: Go 1.21 or newer is needed, as in Debian's backports" >&2; exit 1;; esac

need-cc:
	@command -v cc >/dev/null || { \
	  echo "the race detector needs a C compiler: installing the distribution's gcc"; \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy gcc libc6-dev; \
	  else sudo apt-get update -q && sudo apt-get install -qy gcc libc6-dev; fi; }

# A sourced ROS 2 has a Fast DDS of its own, which CGO_CXXFLAGS and CGO_LDFLAGS
# may name instead.
need-fastdds: need-cc
	@[ -n "$$CGO_CXXFLAGS" ] || [ -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp ] && command -v c++ >/dev/null || { \
	  echo "the DDS transport needs Fast DDS: installing the distribution's libfastrtps-dev and g++"; \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy libfastrtps-dev g++; \
	  else sudo apt-get update -q && sudo apt-get install -qy libfastrtps-dev g++; fi; }
