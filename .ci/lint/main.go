// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Command lint runs Go's linters that are not vet: staticcheck, errcheck, gocritic, unparam and revive. As one program they are compiled
// once, and the first three read and check the code once.
package main

import (
	"fmt"
	"go/ast"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-critic/go-critic/checkers"
	"github.com/go-critic/go-critic/linter"
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
	// errcheck.txt lists the functions whose errors nobody can use: prints, and Close of what was only read.
	if err := errcheck.Analyzer.Flags.Set("exclude", ".ci/lint/errcheck.txt"); err != nil {
		return 0, err
	}
	if err := checkers.InitEmbeddedRules(); err != nil {
		return 0, err
	}

	cmd := lintcmd.NewCommand("lint")
	cmd.ParseFlags(packages)
	cmd.AddAnalyzers(slices.Concat(simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers)...)
	cmd.AddAnalyzers(unused.Analyzer)
	notTest := func(name string, _ *ast.File) bool { return !strings.HasSuffix(name, "_test.go") }
	written := func(name string, f *ast.File) bool { return notTest(name, f) && !ast.IsGenerated(f) }
	cmd.AddBareAnalyzers(only(errcheck.Analyzer, notTest), only(gocritic, written))
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

// off are the diagnostics of gocritic that do not count: appendAssign (slices are cut or copied on purpose), weakCond (nil is absent),
// sprintfQuotedString (quotes of XML and JSON are not Go's), evalOrder (it does not tell pointers from values) and sloppyReassign (style).
var off = []string{"appendAssign", "weakCond", "sprintfQuotedString", "evalOrder", "sloppyReassign"}

// gocritic has all other diagnostics. Its own analyzer lacks those that it loads at run time, such as badCall and dupArg.
var gocritic = &analysis.Analyzer{Name: "gocritic", Doc: "gocritic's diagnostics", Run: func(pass *analysis.Pass) (any, error) {
	ctx := linter.NewContext(pass.Fset, pass.TypesSizes)
	ctx.SetPackageInfo(pass.TypesInfo, pass.Pkg)
	for _, info := range linter.GetCheckersInfo() {
		if !slices.Contains(info.Tags, linter.DiagnosticTag) || slices.Contains(off, info.Name) {
			continue
		}
		c, err := linter.NewChecker(ctx, info)
		if err != nil {
			return nil, err
		}
		for _, f := range pass.Files {
			ctx.SetFileInfo(filepath.Base(pass.Fset.Position(f.Package).Filename), f)
			for _, w := range c.Check(f) {
				pass.Report(analysis.Diagnostic{Pos: w.Pos, Message: info.Name + ": " + w.Text})
			}
		}
	}
	return nil, nil
}}

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
