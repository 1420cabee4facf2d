// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cmd_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// sources returns the files of each folder that are no tests.
func sources(t *testing.T, set *token.FileSet) map[string][]*ast.File {
	folders := map[string][]*ast.File{}
	must.OK(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err == nil && f.Name.Name != "main" {
			folder := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, "../../")))
			folders[folder] = append(folders[folder], f)
		}
		return err
	}))
	return folders
}

// A type with more methods than mostMethods, or a file with more lines than mostLines, has two ideas.
const mostMethods, mostLines = 40, 500

// Types and files stay small.
func TestSmall(t *testing.T) {
	set := token.NewFileSet()
	for folder, files := range sources(t, set) {
		methods := map[string]int{}
		for _, f := range files {
			if lines := set.File(f.Pos()).LineCount() - 1; lines > mostLines && !ast.IsGenerated(f) {
				t.Errorf("%s has %d lines, and at most %d are allowed: what is its second idea?", set.File(f.Pos()).Name(), lines, mostLines)
			}
		}
		each(files, func(d ast.Decl) {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[folder+"."+receiver(fn.Recv).Name]++
			}
		})
		for name, n := range methods {
			if n > mostMethods {
				t.Errorf("%s has %d methods, and at most %d are allowed: which parts of it own their state?", name, n, mostMethods)
			}
		}
	}
}

// Who gets a value from a package can name its type: exported functions, methods and fields have exported types.
func TestExportedTypes(t *testing.T) {
	set := token.NewFileSet()
	for _, files := range sources(t, set) {
		hidden := map[string]bool{} // types
		each(files, func(d ast.Decl) {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				for _, s := range g.Specs {
					hidden[s.(*ast.TypeSpec).Name.Name] = !s.(*ast.TypeSpec).Name.IsExported()
				}
			}
		})
		check := func(name string, typ ast.Expr) {
			for id := range named(typ) {
				if hidden[id.Name] {
					t.Errorf("%s: %s is exported, and its type %s is not", set.Position(id.Pos()), name, id.Name)
				}
			}
		}
		each(files, func(d ast.Decl) {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || exportedReceiver(d.Recv)) {
					check(d.Name.Name, &ast.FuncType{Params: d.Type.Params, Results: d.Type.Results}) // a constraint need not be named
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if typ, ok := s.(*ast.TypeSpec); ok && typ.Name.IsExported() {
						if fields, ok := typ.Type.(*ast.StructType); ok {
							for _, f := range fields.Fields.List {
								for _, n := range f.Names {
									if n.IsExported() {
										check(typ.Name.Name+"."+n.Name, f.Type)
									}
								}
							}
						}
					}
				}
			}
		})
	}
}

func each(files []*ast.File, fn func(ast.Decl)) {
	for _, f := range files {
		for _, d := range f.Decls {
			fn(d)
		}
	}
}

func exportedReceiver(r *ast.FieldList) bool { return receiver(r).IsExported() }

// receiver returns the type of which a function is a method.
func receiver(r *ast.FieldList) *ast.Ident {
	typ := r.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		default:
			return typ.(*ast.Ident)
		}
	}
}

// named returns the names in a type that are of its own package, without those of parameters and fields.
func named(typ ast.Expr) map[*ast.Ident]bool {
	names := map[*ast.Ident]bool{}
	ast.Inspect(typ, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			return false
		case *ast.Field:
			if n.Type != nil {
				for id := range named(n.Type) {
					names[id] = true
				}
			}
			return false
		case *ast.Ident:
			names[n] = true
		}
		return true
	})
	return names
}
