// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command cover prints the share of statements that tests execute in each folder, over all given profiles: see make cover. It fails if a
// folder is below its floor in floors.txt, or has no floor. With -write it writes that file instead.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	module = "ugp_explorer/"
	file   = ".ci/cover/floors.txt"
	head   = "Smallest allowed share of executed statements of each folder, in percent. After `make test`, `make cover COVER=-write` writes this file.\n\n"
	room   = 1.0 // percent: floors are lower by at least this, since what is executed also depends on how fast the machine is
)

func main() {
	write := flag.Bool("write", false, "write the floors")
	flag.Parse()
	if err := run(flag.Args(), *write); err != nil {
		fmt.Fprintln(os.Stderr, "cover:", err)
		os.Exit(1)
	}
}

// share is how many of a folder's statements were executed.
type share struct{ statements, executed int }

func (s share) percent() float64 { return 100 * float64(s.executed) / float64(s.statements) }

func run(profiles []string, write bool) error {
	folders, err := measure(profiles)
	if err != nil {
		return err
	}
	held, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	floors, errs := map[string]float64{}, []error(nil)
	_, lines, _ := strings.Cut(string(held), "\n\n")
	for line := range strings.Lines(lines) {
		folder, text, _ := strings.Cut(strings.TrimSpace(line), " ")
		if floors[folder], err = strconv.ParseFloat(text, 64); err != nil {
			return fmt.Errorf("%s: %q: want a folder and a number of percent", file, line)
		}
		if _, ok := folders[folder]; !ok && !write {
			errs = append(errs, fmt.Errorf("%s names %s, of which no statement was seen: remove the line, or run all tests", file, folder))
		}
	}
	all, text := share{}, head
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		s := folders[folder]
		all = share{all.statements + s.statements, all.executed + s.executed}
		fmt.Printf("%-36s %5d statements %6.1f %%\n", folder, s.statements, s.percent())
		low := max(0, math.Floor(s.percent()-room))
		text += fmt.Sprintf("%s %.0f\n", folder, low)
		switch floor, ok := floors[folder]; {
		case write:
		case !ok:
			errs = append(errs, fmt.Errorf("%s has no floor: add the line \"%s %.0f\" to %s", folder, folder, low, file))
		case s.percent() < floor:
			errs = append(errs, fmt.Errorf("tests execute %.1f %% of %s, want at least %.0f: test the new code, or delete it", s.percent(), folder, floor))
		}
	}
	fmt.Printf("%-36s %5d statements %6.1f %%\n", "all", all.statements, all.percent())
	if write {
		return os.WriteFile(file, []byte(text), 0o644)
	}
	return errors.Join(errs...)
}

// measure merges profiles. Generated code, and what only tests need, do not count.
func measure(profiles []string) (map[string]share, error) {
	type block struct {
		file                 string
		statements, executed int
	}
	blocks := map[string]block{}
	for _, profile := range profiles {
		text, err := os.ReadFile(profile)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			if len(fields) != 3 { // the mode
				continue
			}
			n, err := strconv.Atoi(fields[1])
			if err != nil {
				return nil, fmt.Errorf("%s: %q is no line of a profile", profile, line)
			}
			b := blocks[fields[0]]
			b.file, _, _ = strings.Cut(strings.TrimPrefix(fields[0], module), ":")
			if b.statements = n; fields[2] != "0" {
				b.executed = n
			}
			blocks[fields[0]] = b
		}
	}
	if len(blocks) == 0 {
		return nil, errors.New("no profile has a line")
	}
	counts, folders := map[string]bool{}, map[string]share{}
	for _, b := range blocks {
		if _, known := counts[b.file]; !known {
			source, err := parser.ParseFile(token.NewFileSet(), b.file, nil, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				return nil, err
			}
			counts[b.file] = !ast.IsGenerated(source) && !strings.HasPrefix(b.file, "internal/testkit/")
		}
		if counts[b.file] {
			s := folders[path.Dir(b.file)]
			folders[path.Dir(b.file)] = share{s.statements + b.statements, s.executed + b.executed}
		}
	}
	return folders, nil
}
