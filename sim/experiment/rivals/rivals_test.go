package rivals

import (
	"errors"
	"math"
	"slices"
	"testing"

	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/plantest"
)

// Missions of all methods stay inside the field and keep to budgets of metres, seconds and
// samples; the same seed gives the same mission, another one another.
func TestSurveysKeepToTheirBudgets(t *testing.T) {
	r := star(t)
	config := mission.BudgetConfig{ReserveFactor: 1, Speed: 1, SampleTime: 5}
	for name, b := range map[string]mission.Budget{
		"metres":               {Distance: 250, Samples: 40},
		"seconds":              {Duration: 300},
		"samples, more metres": {Distance: 500, Samples: 9},
	} {
		config.Budget = b
		for _, method := range Names() {
			fly := func(seed uint64) ([][]float64, float64) {
				return survey{ledger: mission.Ledger{Config: config}, home: []float64{15, 50}, seed: seed}.fly(t, method, r)
			}
			targets, driven := fly(1)
			seconds := driven + float64(len(targets))*config.SampleTime
			if len(targets) < 3 || b.Samples > 0 && len(targets) > b.Samples || b.Distance > 0 && driven > b.Distance+1e-6 || b.Duration > 0 && seconds > b.Duration+1e-6 {
				t.Errorf("%s with a budget of %s: %d targets, %g m, %g s", method, name, len(targets), driven, seconds)
			}
			same := func(a, b [][]float64) bool { return slices.EqualFunc(a, b, slices.Equal) }
			if again, _ := fly(1); !same(targets, again) {
				t.Errorf("%s with a budget of %s: the same seed gave %v and %v", method, name, targets, again)
			}
			if name != "seconds" {
				continue
			}
			if other, _ := fly(1000); same(targets, other) != (method == Clairvoyant) {
				t.Errorf("%s with a budget of %s: other seeds gave %v and %v", method, name, targets, other)
			}
		}
	}
}

// The clairvoyant samples six places that are spread over the field, and all others near the
// maximum that it is told, evenly spread.
func TestClairvoyant(t *testing.T) {
	r, err := field.NewBox([]float64{0, 0}, []float64{1000, 1000})
	if err != nil {
		t.Fatal(err)
	}
	maximum := []float64{990, 500} // at the edge: half of the disc is outside
	s := strategy(t, Clairvoyant, r, maximum)
	q := planner.Request{Model: plantest.Model(t, r, 1, 1), Robot: []float64{0, 0}, Rng: plantest.Rand(1)}
	q.Reach.Range = math.Inf(1)
	const samples = 40
	far := 0
	for i := range samples {
		q.Left.Samples = samples - i
		target, err := s.Next(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range q.Chosen {
			if field.Distance(x, target.X) < 5 { // 34 points on half a disc: 20 m apart on average
				t.Errorf("%v is chosen beside %v", target.X, x)
			}
		}
		if d := field.Distance(target.X, maximum); d > clairvoyantRadius {
			far++
			if i >= overviewTargets {
				t.Errorf("target %d is %g m from the maximum", i, d)
			}
		}
		q.Chosen, q.Robot = append(q.Chosen, target.X), target.X
	}
	if far != overviewTargets { // none of the six is near an edge's middle
		t.Errorf("%d targets far from the maximum, want %d", far, overviewTargets)
	}
}

// A batch is visited stop by stop in the order of its tour, and a new one made after it or when
// its target was not adopted.
func TestBatch(t *testing.T) {
	r := star(t)
	s := strategy(t, Batch, r, nil)
	q := planner.Request{Model: plantest.Model(t, r, 6, 2), Execution: plantest.Execution, Robot: []float64{20, 60}, Rng: plantest.Rand(3)}
	q.Reach.Range = math.Inf(1)
	next := func() []float64 {
		t.Helper()
		target, err := s.Next(q)
		if err != nil {
			t.Fatal(err)
		}
		return target.X
	}
	const size = 9 // ⌈√65⌉
	var stops [][]float64
	for i := range size {
		q.Left.Samples = 65 - i
		x := next()
		stops = append(stops, x)
		q.Chosen, q.Robot = append(q.Chosen, x), x
	}
	legs := NewLegs(r.Travel(), []float64{20, 60}, nil, stops)
	if got, want := legs.Length(upTo(size)), legs.Length(legs.Tour(upTo(size))); got > want+1e-6 {
		t.Errorf("the batch was visited in %g m, and a tour takes %g m", got, want)
	}
	for i, x := range stops { // without samples in between they are apart, as each believes in those before
		for _, y := range stops[:i] {
			if field.Distance(x, y) < 3 {
				t.Errorf("%v and %v in a batch", x, y)
			}
		}
	}
	// The next belongs to another batch, made with the range of one sample.
	q.Left = planner.Allowance{Samples: 5, Path: func(n int) float64 { return 30 / float64(n*n) }}
	q.Reach.Range = 30
	x := next()
	q.Chosen = append(q.Chosen, x)
	if y := next(); slices.Equal(x, y) {
		t.Error("the same target twice")
	}
}

// The sizes for 65 samples by hand: √65 = 8.06, √(65·9) = 24.2, √(65·25) = 40.3, cut at 65.
func TestBatchSizes(t *testing.T) {
	for taken, want := range map[int]int{0: 9, 3: 6, 8: 1, 9: 25, 34: 31, 60: 5, 64: 1} {
		if got := batchSize(taken, 65-taken); got != want {
			t.Errorf("after %d samples: %d, want %d", taken, got, want)
		}
	}
	if got := batchSize(0, 1); got != 1 {
		t.Errorf("of one sample: %d", got)
	}
}

func TestDeletionOfVisitedPlaces(t *testing.T) {
	r := star(t)
	x := r.Points(30, plantest.Rand(1))
	drawn := []int{3, 3, 7, 12, 20}
	visited := [][]float64{x.RawRowView(3), x.RawRowView(12)}
	if got := deleteVisited(slices.Clone(drawn), x, visited, 1e-3, plantest.Rand(1)); !slices.Equal(got, []int{3, 7, 20}) {
		t.Errorf("left %v, want one 3 and the 12 deleted", got)
	}
	far := [][]float64{{-1000, -1000}}
	kept := map[int]bool{}
	for seed := range uint64(40) {
		got := deleteVisited([]int{3, 7, 12}, x, far, 1, plantest.Rand(seed))
		if len(got) != 2 {
			t.Fatalf("left %v, want two", got)
		}
		kept[got[0]*100+got[1]] = true
	}
	if len(kept) != 3 {
		t.Errorf("a place far from all maxima always deleted the same: %v", kept)
	}
	if got := deleteVisited([]int{3}, x, visited, 1e9, plantest.Rand(1)); !slices.Equal(got, []int{3}) {
		t.Errorf("left %v, want the last one", got)
	}
}

// Methods with tours have no place in missions for a map or a threshold.
func TestOtherObjectivesAreRefused(t *testing.T) {
	cfg := planner.DefaultStrategyConfig()
	cfg.Objective = planner.ObjectiveMap
	c := Catalogue(nil)
	m, err := c.Method(Snake)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.NewStrategy(star(t), cfg, plantest.Rand(1)); !errors.Is(err, planner.ErrStrategy) {
		t.Errorf("error %v", err)
	}
}
