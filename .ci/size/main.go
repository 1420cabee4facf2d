// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command size prints the size of the project: see make size. It needs only the command go.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// sizes are what the table has.
type sizes struct {
	product, tests, generated int            // lines of Go
	parameters                map[string]int // of the nodes
	binary                    int64          // of the explorer, bytes
	packages                  int            // that it links
	markdown                  int64          // bytes
	documents                 map[string]int64
}

var (
	nodes     = []string{"explorer", "ekf", "follower", "guard", "fieldsim"}
	documents = []string{"README.md", "BENCHMARKS.md"}
)

func main() {
	dir := "."
	if len(os.Args) > 1 {
		dir = os.Args[1]
	}
	s, err := measure(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
	fmt.Println("| | |\n|---|---|")
	fmt.Printf("| lines of Go that programs link, not generated | %d |\n", s.product)
	fmt.Printf("| lines of tests, test support and tools | %d |\n", s.tests)
	fmt.Printf("| generated lines of Go | %d |\n", s.generated)
	var counts []string
	for _, n := range nodes {
		counts = append(counts, fmt.Sprint(s.parameters[n]))
	}
	fmt.Printf("| ROS parameters: %s | %s |\n", strings.Join(nodes, " / "), strings.Join(counts, " / "))
	fmt.Printf("| the explorer's program | %.1f MB, %d packages |\n", float64(s.binary)/1e6, s.packages)
	fmt.Printf("| Markdown: all / %s | %.0f", strings.Join(documents, " / "), float64(s.markdown)/1e3)
	for _, d := range documents {
		fmt.Printf(" / %.1f", float64(s.documents[d])/1e3)
	}
	fmt.Println(" kB |")
}

func measure(dir string) (*sizes, error) {
	s := &sizes{parameters: map[string]int{}, documents: map[string]int64{}}
	linked, err := linkedFolders(dir)
	if err != nil {
		return nil, err
	}
	if err := s.files(dir, linked); err != nil {
		return nil, err
	}
	return s, s.programs(dir)
}

// linkedFolders returns the folders of the packages that some program links, with any transport.
func linkedFolders(dir string) (map[string]bool, error) {
	folders := map[string]bool{}
	for _, tag := range []string{"none", "fastdds", "rclgo"} {
		out, err := run(dir, "go", "list", "-deps", "-tags", tag, "-f", "{{if not .Standard}}{{.Dir}}{{end}}", "./node/cmd/...")
		if err != nil {
			return nil, err
		}
		for _, folder := range strings.Fields(out) {
			folders[folder] = true
		}
	}
	return folders, nil
}

// run returns what a command prints.
func run(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir, c.Stderr = dir, os.Stderr
	c.Env = append(os.Environ(), "CGO_ENABLED=1")
	if args[0] == "build" {
		c.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return string(out), nil
}

// files counts what the files of a repository have.
func (s *sizes) files(dir string, linked map[string]bool) error {
	out, err := run(dir, "git", "ls-files")
	if err != nil {
		return err
	}
	for name := range strings.Lines(out) {
		name = strings.TrimSpace(name)
		text, err := os.ReadFile(filepath.Join(dir, name))
		if os.IsNotExist(err) { // it was removed, or is a link to nothing
			continue
		} else if err != nil {
			return err
		}
		switch filepath.Ext(name) {
		case ".md":
			s.markdown += int64(len(text))
			s.documents[name] = int64(len(text))
		case ".go":
			folder, err := filepath.Abs(filepath.Join(dir, filepath.Dir(name)))
			if err != nil {
				return err
			}
			if err := s.source(name, text, linked[folder]); err != nil {
				return err
			}
		}
	}
	return nil
}

// source counts the lines of a file of Go.
func (s *sizes) source(name string, text []byte, linked bool) error {
	lines := bytes.Count(text, []byte("\n"))
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	switch {
	case err != nil:
		return err
	case strings.HasSuffix(name, "_test.go") || !linked:
		s.tests += lines
	case ast.IsGenerated(file):
		s.generated += lines
	default:
		s.product += lines
	}
	return nil
}

// parameter matches the line with the name of a parameter in a node's --help.
var parameter = regexp.MustCompile(`(?m)^  [a-z]\S*$`)

// programs builds the nodes, and asks each for its parameters.
func (s *sizes) programs(dir string) error {
	bin, err := os.MkdirTemp("", "size")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	for _, node := range nodes {
		if _, err := os.Stat(filepath.Join(dir, "node/cmd", node)); os.IsNotExist(err) {
			continue
		}
		program := filepath.Join(bin, node)
		if _, err := run(dir, "go", "build", "-trimpath", "-buildvcs=false", "-o", program, "./node/cmd/"+node); err != nil {
			return err
		}
		help, err := run(dir, program, "--help")
		if err != nil {
			return err
		}
		_, list, _ := strings.Cut(help, "\nIts parameters")
		s.parameters[node] = len(parameter.FindAllString(list, -1))
	}
	var info fs.FileInfo
	if info, err = os.Stat(filepath.Join(bin, "explorer")); err != nil {
		return err
	}
	s.binary = info.Size()
	list, err := run(dir, "go", "list", "-deps", "./node/cmd/explorer")
	s.packages = len(strings.Fields(list))
	return err
}
