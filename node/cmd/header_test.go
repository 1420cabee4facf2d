// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cmd_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/generated"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/version"
)

// comments are the beginning and the end of a comment's line, by the end of a file's name.
var comments = map[string][2]string{
	".go": {"// "}, ".c": {"// "}, ".h": {"// "}, ".cpp": {"// "}, ".hpp": {"// "}, ".idl": {"// "}, ".js": {"// "},
	".py": {"# "}, "Makefile": {"# "}, "CMakeLists.txt": {"# "}, "#!": {"# "},
	".css": {"/* ", " */"}, ".html": {"<!-- ", " -->"},
}

// withHeader returns the text of a source file with its header, which stands behind a first line that must be first. A text
// that is no source stays as it is.
func withHeader(name, text string) string {
	kind := filepath.Ext(name)
	first, rest, _ := strings.Cut(text, "\n")
	switch {
	case strings.HasPrefix(first, "#!"):
		kind, first = "#!", first+"\n"
	case strings.HasPrefix(first, "<!doctype"):
		first += "\n"
	default:
		first, rest = "", text
	}
	mark, ok := comments[kind]
	if !ok {
		mark, ok = comments[filepath.Base(name)]
	}
	if !ok {
		return text
	}
	header := strings.NewReplacer("// ", mark[0], "\n", mark[1]+"\n").Replace(strings.TrimSuffix(version.Header, "\n")) + "\n"
	if strings.HasPrefix(rest, header) {
		return text
	}
	return first + header + rest
}

// TestGeneratedHeaders holds that each source file says whose it is and under which licence. With UPDATE_GENERATED=1 it adds
// that to the files that lack it.
func TestGeneratedHeaders(t *testing.T) {
	const root = "../.."
	files := 0
	must.OK(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(name, ".") && name != ".ci" || name == "testdata" || elsewhere[name]):
			return fs.SkipDir
		case !entry.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		files++
		want := withHeader(path, string(text))
		switch {
		case want == string(text):
			return nil
		case generated.Update():
			return os.WriteFile(path, []byte(want), 0o666)
		}
		t.Errorf("%s does not begin with %q: run %s", path, version.Header, generated.Command("./node/cmd", "GeneratedHeaders"))
		return nil
	}))
	if files < 1000 {
		t.Errorf("only %d files were found", files)
	}
}

// elsewhere are folders that are not of the repository: .gitignore.
var elsewhere = map[string]bool{"out": true, "bin": true, "vendor": true, "build": true, "install": true, "log": true}

// The header is added once, where the file may have it: behind #! and doctype, before build tags.
func TestWithHeader(t *testing.T) {
	slashes, hashes := version.Header, strings.ReplaceAll(version.Header, "// ", "# ")
	lines := strings.Split(strings.ReplaceAll(version.Header, "// ", ""), "\n")
	for _, c := range []struct{ name, text, want string }{
		{"a/b.go", "//go:build x\n\npackage b\n", slashes + "//go:build x\n\npackage b\n"},
		{"a/b.go", "package b\n", slashes + "package b\n"},
		{"a/script", "#!/bin/sh\nset -e\n", "#!/bin/sh\n" + hashes + "set -e\n"},
		{"a/b.html", "<!doctype html>\n<html>\n", "<!doctype html>\n<!-- " + lines[0] + " -->\n<!-- " + lines[1] + " -->\n\n<html>\n"},
		{"a/b.css", "p {}\n", "/* " + lines[0] + " */\n/* " + lines[1] + " */\n\np {}\n"},
		{"Makefile", "all:\n", hashes + "all:\n"},
		{"a/b.md", "# b\n", "# b\n"},
	} {
		if got := withHeader(c.name, c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := withHeader(c.name, c.want); got != c.want {
			t.Errorf("%s has a second header: %q", c.name, got)
		}
	}
}
