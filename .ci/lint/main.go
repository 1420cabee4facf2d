// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command lint runs Go's linters that are not vet: staticcheck, errcheck, gocritic, unparam and revive. As one program they are compiled
// once, and the first three read and check the code once.
package main

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"

	"github.com/go-critic/go-critic/checkers"
	gocritic "github.com/go-critic/go-critic/checkers/analyzer"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/mgechev/revive/config"
	"github.com/mgechev/revive/revivelib"
	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/lintcmd"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
	"honnef.co/go/tools/unused"
	"mvdan.cc/unparam/check"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		code = 1
	}
	os.Exit(code)
}

// run checks packages and returns 0 if nothing was found.
func run(packages []string) (int, error) {
	// In errcheck.txt is whose errors nobody can use: prints, and Close of what was only read.
	exclude := errcheck.Analyzer.Flags.Set("exclude", ".ci/lint/errcheck.txt")
	// Of gocritic's diagnostics these are off: appendAssign (slices are cut or copied on purpose), weakCond (nil is absent),
	// sprintfQuotedString (quotes of XML and JSON are not Go's), evalOrder (it does not tell pointers from values) and sloppyReassign
	// (style).
	enable := gocritic.Analyzer.Flags.Set("enable", "#diagnostic")
	disable := gocritic.Analyzer.Flags.Set("disable", "appendAssign,weakCond,sprintfQuotedString,evalOrder,sloppyReassign")
	for _, err := range []error{exclude, enable, disable, checkers.InitEmbeddedRules()} {
		if err != nil {
			return 0, err
		}
	}
	gocritic.Analyzer.Name = "gocritic"

	cmd := lintcmd.NewCommand("lint")
	cmd.ParseFlags(packages)
	cmd.AddAnalyzers(slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers)...)
	cmd.AddAnalyzers(unused.Analyzer)
	cmd.AddBareAnalyzers(
		only(errcheck.Analyzer, func(name string, _ *ast.File) bool { return !strings.HasSuffix(name, "_test.go") }),
		only(gocritic.Analyzer, func(name string, f *ast.File) bool {
			return !strings.HasSuffix(name, "_test.go") && !ast.IsGenerated(f)
		}))
	code := cmd.Execute()

	warnings, err := check.UnusedParams(false, false, false, packages...)
	if err != nil {
		return code, fmt.Errorf("unparam: %w", err)
	}
	for _, w := range warnings {
		fmt.Println(w, "(unparam)")
		code = 1
	}

	conf, err := config.GetConfig(".ci/lint/revive.toml")
	if err != nil {
		return code, err
	}
	r, err := revivelib.New(conf, true, 0)
	if err != nil {
		return code, err
	}
	var patterns []*revivelib.LintPattern
	for _, p := range packages {
		patterns = append(patterns, revivelib.Include(p))
	}
	failures, err := r.Lint(patterns...)
	if err != nil {
		return code, err
	}
	text, found, err := r.Format("default", failures)
	if text != "" {
		fmt.Println(text)
	}
	return max(code, found), err
}

// only returns the analyzer for the files that wanted chooses.
func only(a *analysis.Analyzer, wanted func(name string, f *ast.File) bool) *analysis.Analyzer {
	some := *a
	some.Run = func(pass *analysis.Pass) (any, error) {
		part := *pass
		part.Files = slices.DeleteFunc(slices.Clone(pass.Files), func(f *ast.File) bool { return !wanted(pass.Fset.Position(f.Package).Filename, f) })
		return a.Run(&part)
	}
	return &some
}
