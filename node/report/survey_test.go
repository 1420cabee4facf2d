package report

import (
	"math"
	"strings"
	"testing"
)

// Four cells of log10 values, worked by hand: 10, 100 and 1000 with deviations of
// 0.1, 0.6 and 0.1 about a threshold of 50, log 1.7; the fourth is outside the field.
func TestSurvey(t *testing.T) {
	nan, threshold := math.NaN(), 50.0
	m := &Maps{
		Grid: Grid{Cell: 1, NX: 2, NY: 2},
		Mean: []float64{1, 2, 3, nan}, StdDev: []float64{0.1, 0.6, 0.1, nan},
		Truth: []float64{13, 40, 1000, nan},
	}
	s := m.Survey(TransformLog10, &threshold)
	spread := 0.0
	for i := range 3 {
		spread += (math.Pow(10, m.Mean[i]+m.StdDev[i]) - math.Pow(10, m.Mean[i]-m.StdDev[i])) / 2 / 3
	}
	for name, c := range map[string][2]float64{
		"deviation": {s.StdDev, spread},
		"error":     {s.Error, math.Sqrt((3*3 + 60*60) / 3.0)},
		"above":     {s.Above, 1.0 / 3}, "below": {s.Below, 1.0 / 3}, "wrong side": {s.WrongSide, 1.0 / 3},
	} {
		if math.Abs(c[0]-c[1]) > 1e-12*c[1] {
			t.Errorf("%s is %g, want %g", name, c[0], c[1])
		}
	}
	m.Truth = nil
	if s := m.Survey(TransformLog10, nil); !math.IsNaN(s.Error) || !math.IsNaN(s.Above) || !math.IsNaN(s.WrongSide) {
		t.Errorf("without a truth and a threshold: %+v", s)
	}
	if s := (&Maps{}).Survey(TransformNone, nil); s != nil {
		t.Errorf("without a posterior: %+v", s)
	}
}

// On a plane the line is where the plane has the level, to rounding, and as long as
// the lattice of centres lets it be. Next to a cell outside the field it ends.
func TestCrossing(t *testing.T) {
	g := Grid{X: -3, Y: 2, Cell: 2, NX: 6, NY: 5}
	values := make([]float64, g.NX*g.NY)
	plane := func(p Place) float64 { return 3*p[0] - p[1] }
	for k := range values {
		values[k] = plane(g.Centre(k%g.NX, k/g.NX))
	}
	total := 0.0
	for _, s := range crossing(g, values, 4) {
		for _, p := range s {
			if math.Abs(plane(p)-4) > 1e-12 {
				t.Errorf("%v is on the line, but has %g", p, plane(p))
			}
		}
		total += math.Hypot(s[1][0]-s[0][0], s[1][1]-s[0][1])
	}
	// From y = 3 to y = 11 the line x = (4 + y)/3 stays between the outermost centres.
	if want := 8 * math.Hypot(1, 1.0/3); math.Abs(total-want) > 1e-9 {
		t.Errorf("the line is %g m long, want %g", total, want)
	}
	nearest := func() float64 {
		least := math.Inf(1)
		for _, s := range crossing(g, values, 4) {
			least = min(least, math.Hypot((s[0][0]+s[1][0])/2-2, (s[0][1]+s[1][1])/2-5))
		}
		return least
	}
	before := nearest()
	values[g.NX+2] = math.NaN() // centre (2, 5)
	// What is left of the squares about it is beyond their diagonals.
	if after := nearest(); before > 1.2 || after < math.Sqrt2 {
		t.Errorf("the line comes within %g m, and within %g beside a place outside the field", before, after)
	}
	if pieces := crossing(g, values, 100); pieces != nil {
		t.Errorf("a level that there is not: %v", pieces)
	}
}

// The report asks what the mission was after.
func TestQuestion(t *testing.T) {
	level := 1.25
	for want, m := range map[string]*Mission{
		"Where is the moisture highest?":             {Quantity: "moisture", Objective: "maximum"},
		"Where is the moisture lowest?":              {Quantity: "moisture", Objective: "minimum"},
		"How is the moisture spread over the field?": {Quantity: "moisture", Objective: "map"},
		"Where does the moisture cross 1.250 %?":     {Quantity: "moisture", Units: "%", Objective: "threshold", Threshold: &level},
		"Where is the value highest?":                {},
	} {
		if got := m.question(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	m, maps, _ := syntheticMission(8, 20, 34)
	m.Objective, m.Threshold = "threshold", &level
	m.Survey = maps.Survey(m.Transform, &level)
	page, err := html(m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Where does the ", "Above the threshold", "undecided", "on the other side"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
