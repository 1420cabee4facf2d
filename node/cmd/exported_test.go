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

// Who gets a value from a package can name its type: exported functions, methods and fields have exported types.
func TestExportedTypes(t *testing.T) {
	folders := map[string][]*ast.File{}
	set := token.NewFileSet()
	must.OK(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err == nil && f.Name.Name != "main" {
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], f)
		}
		return err
	}))
	for _, files := range folders {
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

func exportedReceiver(r *ast.FieldList) bool {
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
			return typ.(*ast.Ident).IsExported()
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
