// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command gen writes the Go packages of msgs from the interface definitions. It runs in the folder msgs: go generate ./msgs.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run brings the generated files below root, the folder msgs, up to date: it writes them, and removes those without a definition.
func run(root string) error {
	files, err := generate(os.DirFS(root))
	if err != nil {
		return err
	}
	old, err := generated(os.DirFS(root))
	if err != nil {
		return err
	}
	for name := range old {
		if _, ok := files[name]; !ok {
			err = errors.Join(err, os.Remove(filepath.Join(root, name)))
		}
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
	}
	return err
}

// generated returns the texts of the generated files below root by path.
func generated(root fs.FS) (map[string]string, error) {
	files := map[string]string{}
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_gen.go") {
			return err
		}
		text, err := fs.ReadFile(root, path)
		files[path] = string(text)
		return err
	})
	return files, err
}
