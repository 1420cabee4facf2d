package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// constants returns the constants of a package that consist of literals and one another.
func constants(t *testing.T, dir string) map[string]constant.Value {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	expressions := map[string]ast.Expr{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if g, ok := n.(*ast.GenDecl); ok && g.Tok == token.CONST {
				for _, s := range g.Specs {
					v := s.(*ast.ValueSpec)
					for i, name := range v.Names {
						if i < len(v.Values) {
							expressions[name.Name] = v.Values[i]
						}
					}
				}
			}
			_, function := n.(*ast.FuncDecl)
			return !function
		})
	}
	values := map[string]constant.Value{}
	for name, e := range expressions {
		if v := evaluate(e, expressions); v.Kind() != constant.Unknown {
			values[name] = v
		}
	}
	return values
}

func evaluate(e ast.Expr, of map[string]ast.Expr) constant.Value {
	switch e := e.(type) {
	case *ast.BasicLit:
		return constant.MakeFromLiteral(e.Value, e.Kind, 0)
	case *ast.ParenExpr:
		return evaluate(e.X, of)
	case *ast.Ident:
		if x, ok := of[e.Name]; ok {
			return evaluate(x, of)
		}
	case *ast.BinaryExpr:
		x, y := evaluate(e.X, of), evaluate(e.Y, of)
		if x.Kind() == constant.Unknown || y.Kind() == constant.Unknown {
			break
		}
		if e.Op == token.SHL {
			n, _ := constant.Uint64Val(y)
			return constant.Shift(x, e.Op, uint(n))
		}
		return constant.BinaryOp(x, e.Op, y)
	}
	return constant.MakeUnknown()
}

// spellings returns how the table may write a number.
func spellings(v constant.Value) []string {
	n, exact := constant.Int64Val(constant.ToInt(v))
	if !exact {
		f, _ := constant.Float64Val(v)
		return []string{strings.Replace(fmt.Sprintf("%g", f), "e+", "e", 1)}
	}
	plain := fmt.Sprint(n)
	commas := plain
	for at := len(commas) - 3; at > 0; at -= 3 {
		commas = commas[:at] + "," + commas[at:]
	}
	all := []string{plain, commas}
	for i, unit := range []string{"KiB", "MiB", "GiB"} {
		if size := int64(1) << (10 * (i + 1)); n%size == 0 && n/size < 1024 {
			all = append(all, fmt.Sprintf("%d %s", n/size, unit))
		}
	}
	return all
}

// limits names the constants of each row of the table.
var limits = map[string]string{
	"outline, `field.file`":                                              "planner/field.maxFieldFile planner/field.maxCorners planner/field.maxBends",
	"its coordinates; its width and height, m":                           "planner/field.maxReach planner/field.maxExtent",
	"recording of an outline: points of an open ring, corners, its file": "planner/field/outline.maxPoints planner/field/outline.maxCorners node/explorer/host.mostJournal",
	"earlier samples, `earlier.file`":                                    "node/export/samples.mostBytes node/export/samples.mostRows node/export/samples.mostColumns",
	"parameter file":                                                     "node/ros/param.MostFile",
	"parameters: text, elements of an array, asked at once":              "node/ros/param.MostString node/ros/param.MostElements node/ros/param.MostAsked",
	"bag: a chunk or message; topics of a file":                          "msgs/bag.maxChunk msgs/bag.maxDescribed",
	"`mission.json`; a line of the journal":                              "node/record.MostFile node/record/journal.mostLine",
	"any message, and all that wait on a topic":                          "node/ros.MostMessage",
	"poses: covariance; readings: value, variance":                       "localization.overflow",
	"`/tf`":                   "node/sense.mostFrames node/sense.mostName node/sense.mostEntries node/sense.mostInAll",
	"`plan` for the follower": "planner/pursuit.maxPoints",
	"commands":                "node/explorer/host.commandRate node/explorer/host.commandBurst",
	"team: mates, their observations, their distance":              "node/explorer.mostMates node/explorer.mostOfMates node/explorer.mateFields",
	"page: request, connections, those of an address, who follows": "node/web.mostBody node/web.mostConnections node/web.mostConnectionsEach node/web.mostClients",
	"page: token":                                     "node/web.shortestToken node/web.longestToken",
	"a text from outside in a log":                    "node/ros.MostText",
	"cells of maps, of `~/keepout`, of exported maps": "node/explorer.mostCells node/explorer/ground.mostKeepoutCells node/export.mostCells",
}

// The table of limits has the values of the code.
func TestTableOfLimits(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Limits\n")
	section, _, _ = strings.Cut(section, "\n## ")
	read := map[string]map[string]constant.Value{}
	for row, names := range limits {
		_, limit, ok := strings.Cut(section, "\n| "+row+" | ")
		if !ok {
			t.Errorf("the table has no row %q", row)
			continue
		}
		limit, _, _ = strings.Cut(limit, " |\n")
		for cited := range strings.FieldsSeq(names) {
			dir, name, _ := strings.Cut(cited, ".")
			if read[dir] == nil {
				read[dir] = constants(t, filepath.Join("../../..", dir))
			}
			v, ok := read[dir][name]
			if !ok {
				t.Errorf("there is no constant %s in %s", name, dir)
				continue
			}
			found := false
			for _, s := range spellings(v) {
				found = found || regexp.MustCompile(`(^|[^0-9,.])`+regexp.QuoteMeta(s)+`($|[^0-9,.]|[,.]($|[^0-9]))`).MatchString(limit)
			}
			if !found {
				t.Errorf("%s is %v (%s), and the table says %q", cited, v, strings.Join(spellings(v), " or "), limit)
			}
		}
	}
}
