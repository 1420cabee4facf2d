// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// Sentences are for people: who rewords one must not change what a program does. So no program looks into the text of an error, of a status or
// of an answer; reasons are codes, typed errors and fields.

// fromOutside are the files that may look into a text, since others give nothing else.
var fromOutside = map[string]string{
	"node/ros/fastdds/secure.go": "Fast DDS says only in a line of its log what a governance or permissions file does not allow",
	"node/ros/rclgo/errors.go":   "errors of rcl are texts with traces below",
	"node/web/assets/safety.js":  "browsers have no code for the error of a ResizeObserver",
}

var (
	// spoken are the methods and fields whose values are sentences.
	spoken = []string{"Error", "Text", "Trouble", "Why", "WhyNoPose", "WhyNoReading", "Told", "Line", "Message", "Fault", "Waiting", "Ending", "Advice", "Reason"}
	// looks are the functions of strings and regexp that look into a text.
	looks = regexp.MustCompile(`^(Contains.*|HasPrefix|HasSuffix|Index.*|LastIndex.*|Cut.*|Trim(Prefix|Suffix)|EqualFold|Count|Match.*|Find.*)$`)
)

// proseInGo returns the places at which Go code looks into a sentence, or compares one with another text.
func proseInGo(f *ast.File) (at []token.Pos) {
	says := func(e ast.Expr) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.SelectorExpr:
				found = found || slices.Contains(spoken, n.Sel.Name)
			}
			return !found
		})
		return found
	}
	wording := func(e ast.Expr) bool {
		lit, ok := e.(*ast.BasicLit)
		return ok && lit.Kind == token.STRING && lit.Value != `""`
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if fn, ok := n.Fun.(*ast.SelectorExpr); ok && looks.MatchString(fn.Sel.Name) && slices.ContainsFunc(n.Args, says) {
				if pkg, ok := fn.X.(*ast.Ident); !ok || pkg.Name != "slices" { // which compares whole values
					at = append(at, n.Pos())
				}
			}
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (says(n.X) && wording(n.Y) || says(n.Y) && wording(n.X)) {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

// proseInJS matches where a script looks into a sentence, or compares one with another text.
var proseInJS = func() *regexp.Regexp {
	const says = `\b(?:text|note|answer|why|message|error|reason|refused|waiting|sentence|trouble|problem|textContent|innerText)\b`
	return regexp.MustCompile(says + `(?:\(\))?\??\.(?:includes|startsWith|endsWith|match|matchAll|indexOf|search)\(` +
		`|\.(?:test|exec)\([^)]*` + says + `\)` + `|` + says + `\s*[!=]==?\s*['"` + "`" + `][^'"` + "`" + `]`)
}()

// No program decides by the wording of a sentence.
func TestProse(t *testing.T) {
	used, files := map[string]bool{}, 0
	report := func(name, where string) {
		if _, may := fromOutside[name]; may {
			used[name] = true
			return
		}
		t.Errorf("%s:%s looks into a sentence, or compares one: make it a code, a typed error or a field", name, where)
	}
	must.OK(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, "../../"))
		if err == nil && entry.IsDir() && (name == "internal/testkit" || strings.HasPrefix(entry.Name(), ".git")) {
			return filepath.SkipDir
		}
		switch {
		case err != nil || strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_gen.go"):
		case strings.HasSuffix(name, ".go"):
			files++
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, at := range proseInGo(f) {
				report(name, set.Position(at).String()[len(path)+1:])
			}
		case strings.HasSuffix(name, ".js"):
			files++
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for i, line := range strings.Split(string(text), "\n") {
				if found := proseInJS.FindString(line); found != "" {
					report(name, strconv.Itoa(i+1)+", "+found+",")
				}
			}
		}
		return err
	}))
	if files < 300 {
		t.Errorf("%d files were looked at", files)
	}
	for name := range fromOutside {
		if !used[name] {
			t.Errorf("%s looks into no text, and need not be an exception any more", name)
		}
	}
}

// What TestProse is to find, and what it is to pass.
func TestProseIsFound(t *testing.T) {
	for code, want := range map[string]int{
		`strings.Contains(err.Error(), "refused")`:           1,
		`strings.HasPrefix(s.Status.Text, prefix)`:           1,
		`m.Message == "nothing is wrong" || d.Message == ""`: 1,
		`pattern.MatchString(w.Text())`:                      1,
		`strings.Contains(name, "odom") || s.Reason != none`: 0,
		`slices.Contains(states, m.State)`:                   0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() bool { return "+code+" }", 0)
		must.OK(t, err)
		if got := len(proseInGo(f)); got != want {
			t.Errorf("%s: %d places, want %d", code, got, want)
		}
	}
	for code, want := range map[string]bool{
		`if (answer.includes('~/')) return;`:              true,
		`c.text !== 'nothing is wrong'`:                   true,
		`/^waiting/.test(status.text)`:                    true,
		`status?.text?.startsWith('fault')`:               true,
		`['travelling', 'returning'].includes(s.state)`:   false,
		`layer.startsWith('raster') && text !== ''`:       false,
		`[401, 429].includes(answer.status) && c.text`:    false,
		`(still || status.stopped_by) && told(c.text, d)`: false,
	} {
		if got := proseInJS.MatchString(code); got != want {
			t.Errorf("%s: found is %v, want %v", code, got, want)
		}
	}
}
