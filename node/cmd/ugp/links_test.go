// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// Every link in a document of the repository leads to a file and, if it names one, to a heading in it.
func TestLinks(t *testing.T) {
	const root = "../../.."
	documents := map[string]string{} // path → text
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "out" || d.Name() == "bin" || d.Name() == "vendor"):
			return fs.SkipDir
		case filepath.Ext(path) == ".md":
			text, err := os.ReadFile(path)
			documents[filepath.Clean(path)] = string(text)
			return err
		}
		return nil
	})
	must.OK(t, err)
	if len(documents) < 10 {
		t.Fatalf("only %d documents were found", len(documents))
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|src="([^"]+)"`)
	for path, text := range documents {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to := m[1] + m[2]
			if strings.Contains(to, "://") {
				continue
			}
			name, heading, _ := strings.Cut(to, "#")
			file := path
			if name != "" {
				file = filepath.Join(filepath.Dir(path), name)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the link %s leads to no file", path, to)
			} else if heading != "" && !headings(documents[file])[heading] {
				t.Errorf("%s: the link %s leads to no heading", path, to)
			}
		}
	}
}

// headings returns the anchors of a document's headings, as GitHub forms them.
func headings(text string) map[string]bool {
	all := map[string]bool{}
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			code = !code
		}
		if title := strings.TrimLeft(line, "#"); title != line && !code {
			all[anchor(title)] = true
		}
	}
	return all
}

var linked = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

func anchor(title string) string {
	title = linked.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "$1")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r > 127:
			return r
		}
		return -1
	}, title)
}
