// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// fakeGo is a shell script instead of the command go. It logs its calls. Its
// `go mod download` makes a release whose files cannot be run yet, unless OFFLINE
// is set.
const fakeGo = `#!/bin/sh
echo "found $*" >> "$LOG"
case "$1 $2" in
"version ") echo "go version $VERSION linux/arm64" ;;
"env GOMODCACHE") echo "$CACHE" ;;
"mod download")
  if [ -n "$OFFLINE" ] || [ "$PWD" != / ] || [ "$GO111MODULE" != on ]; then
    echo "no $3 for GO111MODULE=$GO111MODULE in $PWD" >&2
    exit 1
  fi
  mkdir -p "$CACHE/$3/bin" "$CACHE/$3/pkg/tool/linux_arm64"
  touch "$CACHE/$3/bin/gofmt" "$CACHE/$3/pkg/tool/linux_arm64/compile"
  { echo '#!/bin/sh'; echo 'echo "fetched $*, GOROOT is \"$GOROOT\", go is $(command -v go)" >> "$LOG"'; } > "$CACHE/$3/bin/go"
esac
`

// goCommands is a folder with a fakeGo, its log and its module cache.
type goCommands struct{ folder, cache, root, module string }

func newGoCommands(t *testing.T) (c goCommands) {
	t.Helper()
	for _, file := range []string{".ci/go", "Makefile"} {
		readText(t, repository+file) // makes go test run again when it changes
	}
	mod := readText(t, repository+"go.mod")
	release := regexp.MustCompile(`(?m)^toolchain go(\S+)`).FindStringSubmatch(mod)
	if release == nil {
		release = regexp.MustCompile(`(?m)^go (\S+)`).FindStringSubmatch(mod)
	}
	c.folder = t.TempDir()
	c.cache = filepath.Join(c.folder, "module cache")
	c.module = "golang.org/toolchain@v0.0.1-go" + release[1] + ".linux-arm64"
	c.root = filepath.Join(c.cache, c.module)
	must.OK(t, os.WriteFile(filepath.Join(c.folder, "go"), []byte(fakeGo), 0o755))
	return c
}

// run runs a command in the repository with the fakeGo of a version first in PATH.
// It returns the calls of Go and the output.
func (c goCommands) run(t *testing.T, version, env string, command ...string) (calls []string, output string, err error) {
	t.Helper()
	log := filepath.Join(c.folder, "log")
	must.OK(t, os.WriteFile(log, nil, 0o644))
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = repository
	cmd.Env = []string{"PATH=" + c.folder + ":" + os.Getenv("PATH"), "LOG=" + log, "CACHE=" + c.cache,
		"VERSION=" + version, "GOROOT=/old", "GO111MODULE=off", env}
	text, err := cmd.CombinedOutput()
	return strings.Split(strings.TrimSpace(readText(t, log)), "\n"), string(text), err
}

// fetched is the call that the fetched release logs.
func (c goCommands) fetched(arguments string) string {
	return "fetched " + arguments + `, GOROOT is "", go is ` + c.root + "/bin/go"
}

// TestOldGoFetchesRelease checks that a Go older than 1.21 fetches the release that
// go.mod names, that one line says so, and that the release runs instead. The
// second call needs no network.
func TestOldGoFetchesRelease(t *testing.T) {
	for _, version := range []string{"go1.13.8", "go1.20 X:none", "go1.18 gccgo (Ubuntu) 12.3.0"} {
		c := newGoCommands(t)
		calls, output, err := c.run(t, version, "", ".ci/go", "go", "test", "-run", "a b")
		if want := []string{"found version", "found env GOMODCACHE", "found mod download " + c.module, c.fetched("test -run a b")}; err != nil || !slices.Equal(calls, want) {
			t.Fatalf("%s: %v, %s, calls\n%q, want\n%q", version, err, output, calls, want)
		}
		if !strings.Contains(output, version) || !strings.Contains(output, c.module) || strings.Count(output, "\n") != 1 {
			t.Errorf("%s: said %q, want one line with the version and %s", version, output, c.module)
		}
		for _, file := range []string{"bin/go", "bin/gofmt", "pkg/tool/linux_arm64/compile"} {
			info, err := os.Stat(filepath.Join(c.root, file))
			must.OK(t, err)
			if info.Mode()&0o111 == 0 {
				t.Errorf("%s: %s has the mode %v and cannot be run", version, file, info.Mode())
			}
		}

		calls, output, err = c.run(t, version, "OFFLINE=1", ".ci/go", "go", "vet")
		if want := []string{"found version", "found env GOMODCACHE", c.fetched("vet")}; err != nil || output != "" || !slices.Equal(calls, want) {
			t.Errorf("%s, again: %v, %s, calls\n%q, want\n%q", version, err, output, calls, want)
		}
	}
}

// TestNewGoIsLeftAlone checks that a Go that can fetch releases by itself is called
// directly.
func TestNewGoIsLeftAlone(t *testing.T) {
	for _, version := range []string{"go1.21rc2", "go1.100.1", "go2.0", "devel go1.27-abc"} {
		calls, output, err := newGoCommands(t).run(t, version, "OFFLINE=1", ".ci/go", "go", "build", "./...")
		if want := []string{"found version", "found build ./..."}; err != nil || output != "" || !slices.Equal(calls, want) {
			t.Errorf("%s: %v, %s, calls %q, want %q", version, err, output, calls, want)
		}
	}
}

// TestOldGoWithoutNetwork checks that a failed download ends the command before the
// old Go builds anything, and that the error says what to do.
func TestOldGoWithoutNetwork(t *testing.T) {
	c := newGoCommands(t)
	calls, output, err := c.run(t, "go1.19.8", "OFFLINE=1", ".ci/go", "go", "build")
	if last := calls[len(calls)-1]; err == nil || last != "found mod download "+c.module {
		t.Errorf("error %v after %q, want one after the download", err, calls)
	}
	for _, want := range []string{"no " + c.module, "could not be fetched", "GOPROXY", "install Go 1.21 or newer"} {
		if !strings.Contains(output, want) {
			t.Errorf("said %q, which lacks %q", output, want)
		}
	}
	if _, output, err := c.run(t, "", "", ".ci/go", "no-such-go", "build"); err == nil || !strings.Contains(output, "no-such-go is missing: install") {
		t.Errorf("without any Go: error %v, said %q", err, output)
	}
}
