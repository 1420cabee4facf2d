// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/shared"
)

// A made-up file in the format of Broom's Barn.
const barn = "Survey of a farm \xa9\r\n" +
	"4 7 0 -8.9\r\n" +
	"East                North               K                   log10 K\r\n" +
	"pH                  P                   log10 P \r\n" +
	"     1   24   10.0   1.00000    7.2    5.5   0.74036\r\n" +
	"     2   24  100.0   2.00000    7.2   -9.0  -9.00000\r\n" +
	"     1   25   -9.0  -9.00000    7.2    5.2   0.71600\r\n" +
	"     3   24 1000.0   3.00000    6.1    1.0   0.00000\r\n"

func TestReadPoints(t *testing.T) {
	tests := []struct {
		name, text    string
		value         string
		column, units string
		xy            []orb.Point
		values        []float64
	}{
		{"csv found out", "x,y,K\n1,2,3\n4,5,6\n", "", "K", "", []orb.Point{{1, 2}, {4, 5}}, []float64{3, 6}},
		{"value first, other case", "Zn, North ,EAST\n3,2,1\n", "", "Zn", "", []orb.Point{{1, 2}}, []float64{3}},
		{"named", "id,X,y,k,p\n7,1,2,3,9\n", "P", "p", "", []orb.Point{{1, 2}}, []float64{9}},
		{"semicolons and decimal commas", "x;y;k\n1,5;2;3,25\n", "", "k", "", []orb.Point{{1.5, 2}}, []float64{3.25}},
		{"tabs, BOM, comment, blank line, quotes", "\ufeff# made up\n\"x\"\t\"y\"\tk\n\n1e1\t-2\t\"3\"\n", "", "k", "", []orb.Point{{10, -2}}, []float64{3}},
		{"missing", "x,y,k\n1,2,NA\n3,4,\n5,6,7\n", "", "k", "", []orb.Point{{5, 6}}, []float64{7}},
		{"duplicates", "x,y,k\n1,2,3\n5,6,7\n1,2,4\n1,2,8\n", "", "k", "", []orb.Point{{1, 2}, {5, 6}}, []float64{5, 7}},
		{"barn", barn, "", "log10 K", "log10(mg/l)", []orb.Point{{40, 960}, {80, 960}, {120, 960}}, []float64{1, 2, 3}},
		{"barn, P", barn, "p", "P", "mg/l", []orb.Point{{40, 960}, {40, 1000}, {120, 960}}, []float64{5.5, 5.2, 1}},
		{"barn, pH", barn, "pH", "pH", "", []orb.Point{{40, 960}, {80, 960}, {40, 1000}, {120, 960}}, []float64{7.2, 7.2, 7.2, 6.1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := readPoints(strings.NewReader(tt.text), "f", tt.value, nil)
			must.OK(t, err)
			if p.Name != tt.column || p.Units != tt.units {
				t.Errorf("got %q %q", p.Name, p.Units)
			}
			if len(p.XY) != len(tt.xy) || len(p.Values) != len(tt.values) {
				t.Fatalf("got %v %v", p.XY, p.Values)
			}
			for i := range tt.xy {
				if p.XY[i] != tt.xy[i] || p.Values[i] != tt.values[i] {
					t.Errorf("point %d is %v %v, want %v %v", i, p.XY[i], p.Values[i], tt.xy[i], tt.values[i])
				}
			}
		})
	}
}

func TestReadPointsErrors(t *testing.T) {
	var many [4001]string
	for i := range many {
		many[i] = fmt.Sprintf("%d,2,3\n", i)
	}
	tests := []struct {
		name, text string
		value      string
		want       string
	}{
		{"empty", "", "", "the file is empty"},
		{"no header", "1,2,3\n4,5,6\n", "", "does not name the columns"},
		{"no places", "a,b,c\n1,2,3\n", "", `no columns of coordinates, want lon and lat, or easting, northing and epsg, or x and y (metres of the map); its columns are a, b, c`},
		{"wrong value", "x,y,k\n", "Zn", `no column "Zn"; its columns are x, y, k`},
		{"which value", "x,y,k,p\n1,2,3,4\n", "", "2 besides the coordinates: name the one with the quantity by --column"},
		{"no value", "x,y\n1,2\n", "", "0 besides the coordinates"},
		{"not a number", "x,y,k\n1,2,3\n4,5,six\n", "", `f.csv: line 3: column k is "six", want a finite number`},
		{"infinite", "x,y,k\n1,Inf,3\n", "", `line 2: column y is "Inf"`},
		{"place missing", "x,y,k\n,2,3\n", "", `line 2: column x is empty`},
		{"short row", "x,y,k\n1,2\n", "", "line 2"},
		{"no rows", "x,y,k\n", "", `no row has a value of "k"`},
		{"degrees and minutes", "lon,lat,k\n8°3.1',52°16.2',3\n", "", `no row has coordinates: line 2: column lon is "8°3.1'", want a finite number`},
		{"too many", "x,y,k\n" + strings.Join(many[:], ""), "", "there are values at 4001 places: want at most 4000; keep one row of 2"},
		{"barn, wrong column", barn, "Mg", `no value column "Mg"; the columns are East, North, K`},
		{"barn, a place as value", barn, "East", `no value column "East"`},
		{"barn, cut short", barn[:len(barn)-30], "", "line 8: 4 numbers, want 7"},
		{"barn, row lost", strings.Replace(barn, "4 7 0", "5 7 0", 1), "", "announces 5 rows, there are 4"},
		{"barn, columns", strings.Replace(barn, "4 7 0", "4 6 0", 1), "", "announces 6 columns"},
		{"barn, not a number", strings.Replace(barn, "2.00000", "2.0x", 1), "", `line 6, column "log10 K": "2.0x"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readPoints(strings.NewReader(tt.text), "f.csv", tt.value, nil)
			wantError(t, err, tt.want)
			wantError(t, err, "f.csv")
		})
	}
	_, err := LoadPoints("no/such/file.csv", "", nil)
	wantError(t, err, "no/such/file.csv")
}

// Whatever the bytes, the answer is an error or points that are finite and all
// at different places.
func FuzzReadPoints(f *testing.F) {
	f.Add([]byte(barn))
	f.Add([]byte("x,y,k\n1,2,3\n1,2,5\n"))
	f.Add([]byte("x;y;k\n1,5;2;3,25\n"))
	f.Add([]byte("\xff\xfe\n1 2 3 4\nEast North\n\n"))
	f.Add([]byte("t\n0 0 0 0\nEast North\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := readPoints(strings.NewReader(string(b)), "f", "", nil)
		if err != nil {
			return
		}
		if len(p.XY) == 0 || len(p.XY) != len(p.Values) {
			t.Fatalf("%d places, %d values", len(p.XY), len(p.Values))
		}
		seen := map[orb.Point]bool{}
		for i, at := range p.XY {
			if math.IsNaN(at[0]+at[1]+p.Values[i]-at[0]-at[1]-p.Values[i]) || seen[at] {
				t.Fatalf("point %d: %v %v", i, at, p.Values[i])
			}
			seen[at] = true
		}
	})
}

func TestSpacing(t *testing.T) {
	p := &PointData{XY: []orb.Point{{0, 0}, {3, 4}, {3, 5}, {100, 5}, {107, 5}}}
	near(t, "spacing", p.spacing(), 5, 0) // nearest: 5, 1, 1, 7, 7
	if !math.IsNaN((&PointData{XY: p.XY[:1]}).spacing()) {
		t.Error("one point has a spacing")
	}
}

// Figures of the survey, 435 rows, K missing in one: mean, extremes, the variogram that the default field is
// built on, to 1 % (fits differ by that much with the choice of classes and weights), and 69.6 ha that were
// sampled, in cells of 0.16 ha, with two that are shut in.
func TestBroomsBarn(t *testing.T) {
	p, err := LoadPoints(shared.File(t, "brooms_barn.dat"), "", nil)
	must.OK(t, err)
	if len(p.Values) != 434 {
		t.Fatalf("%d values", len(p.Values))
	}
	mean, variance := moments(p.Values)
	near(t, "mean", mean, broomsBarnMean, 5e-5)
	near(t, "standard deviation", math.Sqrt(variance), 0.1342, 5e-5)
	near(t, "spacing", p.spacing(), 40, 0)
	v, err := fitVariogram(empiricalVariogram(p, 40, 560))
	must.OK(t, err)
	want := BroomsBarnVariogram()
	near(t, "nugget", v.Nugget, want.Nugget, 0.01*want.Nugget)
	near(t, "structured", v.Structured, want.Structured, 0.01*want.Structured)
	near(t, "range", v.Range, want.Range, 0.01*want.Range)
	o, err := Outline(p)
	must.OK(t, err)
	checkSimple(t, o)
	near(t, "area with holes filled", planar.Area(o)/1e4, 0.16*(434+2), 1e-9)
}
