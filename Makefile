# ugp_explorer: the commands a person needs. `make help` lists them.

GO  ?= go
OUT ?= out/demo

# The pure Go build needs no C compiler; only the race detector does.
export CGO_ENABLED ?= 0

.PHONY: help demo test lint race bench ugp clean need-go need-cc

help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

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

clean: ## remove what the other targets made
	rm -rf bin out

need-go:
	@command -v $(GO) >/dev/null || { \
	  echo "Go is missing: installing the distribution's golang-go"; \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy golang-go; \
	  else sudo apt-get update -q && sudo apt-get install -qy golang-go; fi; }

need-cc:
	@command -v cc >/dev/null || { \
	  echo "the race detector needs a C compiler: installing the distribution's gcc"; \
	  if [ "$$(id -u)" = 0 ]; then apt-get update -q && apt-get install -qy gcc libc6-dev; \
	  else sudo apt-get update -q && sudo apt-get install -qy gcc libc6-dev; fi; }
