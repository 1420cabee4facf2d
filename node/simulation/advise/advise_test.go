// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/mission"
)

// outline is a field of 300 × 200 m.
const outline = `{"type":"Polygon","coordinates":[[[0,0],[300,0],[300,200],[0,200],[0,0]]]}`

// config returns a question about the field of 300 × 200 m, with further assignments of
// parameters.
func config(t *testing.T, budget mission.Budget, rules ...string) Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "field.geojson")
	must.OK(t, os.WriteFile(file, []byte(outline), 0o666))
	return Config{
		Parameters: func() (*param.Overrides, error) {
			o := &param.Overrides{}
			for _, rule := range append([]string{fmt.Sprintf("field.file:=%q", file)}, rules...) {
				if err := o.AddAssignment(explorer.DefaultName + ":" + rule); err != nil {
					return nil, err
				}
			}
			return o, nil
		},
		Budget: budget, Missions: 10, Seed: 1,
	}
}

func newPlan(t *testing.T, c Config) *Plan {
	t.Helper()
	p, err := New(c)
	must.OK(t, err)
	return p
}

// The limit of n figures has rank 0.9·(n+1), and the bounds of 40 figures are those of ranks
// 33 and 40: of a binomial distribution of 40 with 0.9, the probability of at most 32 is 0.042
// and that of at most 33 is 0.100, and of at most 38 and 39 they are 0.919 and 0.985.
func TestLimit(t *testing.T) {
	upTo := func(n int) (list []float64) {
		for i := range n {
			list = append(list, float64(i+1))
		}
		return list
	}
	for _, c := range []struct {
		n    int
		want Limit
	}{
		{10, Limit{9.9, 6, math.Inf(1)}}, // P(B≤5) = 0.0016, P(B≤6) = 0.013, P(B≤7) = 0.070
		{40, Limit{36.9, 33, 40}},
	} {
		got := limitOf(share, upTo(c.n))
		if c.n == 10 {
			c.want.Low = 7
		}
		if math.Abs(got.Value-c.want.Value) > 1e-12 || got.Low != c.want.Low || got.High != c.want.High {
			t.Errorf("%d figures: %+v, want %+v", c.n, got, c.want)
		}
	}
	// Of five, half lie below a limit between the smallest and the largest, and nine of ten below none that is known. Of
	// one fewer there are no bounds, and of one fewer than bounded no upper one.
	if l := limitOf(0.5, upTo(fewest)); l != (Limit{3, 1, fewest}) || !math.IsNaN(limitOf(share, upTo(leastMissions-2)).Value) {
		t.Errorf("half of %d figures: %+v", fewest, l)
	}
	if l := limitOf(0.5, upTo(fewest-1)); !math.IsInf(l.Low, -1) || !math.IsInf(l.High, 1) {
		t.Errorf("half of %d figures: %+v", fewest-1, l)
	}
	if few, enough := limitOf(share, upTo(bounded-1)), limitOf(share, upTo(bounded)); !math.IsInf(few.High, 1) || enough.High != bounded {
		t.Errorf("the upper bounds of %d and of one more are %g and %g", bounded-1, few.High, enough.High)
	}
	// Whatever the number, the next figure is below the limit in 9 cases of 10. For uniform
	// figures that probability is the limit itself.
	for _, n := range []int{10, 23, 40} {
		rng, sum := rand.New(rand.NewPCG(1, uint64(n))), 0.0
		const trials = 5000
		for range trials {
			list := make([]float64, n)
			for i := range list {
				list[i] = rng.Float64()
			}
			sum += limitOf(share, list).Value / trials
		}
		if math.Abs(sum-share) > 0.005 { // the deviation of one is below 0.09
			t.Errorf("%d figures: the next is below the limit with %.4f, want %g", n, sum, share)
		}
	}
}

// Fields have the range that is known, length-scales within the factor that is meant, and
// without that, the planner's prior; both kernels of the prior occur.
func TestDraws(t *testing.T) {
	c := config(t, mission.Budget{Samples: 1})
	c.Known = KnownGround{Range: &[2]float64{10, 60}, Length: 50}
	p := newPlan(t, c)
	logs, kinds := []float64{}, map[string]int{}
	for i := range 36 {
		f, err := p.drawer.draw(rand.New(rand.NewPCG(1, uint64(i))))
		must.OK(t, err)
		if math.Abs(f.worst-10) > 1e-9 || math.Abs(f.best-60) > 1e-9 || f.mean <= 10 || f.mean >= 60 {
			t.Errorf("values from %g to %g about %g, want 10 to 60", f.worst, f.best, f.mean)
		}
		if s := math.Sqrt(f.hyper.SignalVariance); s < 5 || s > 60 {
			t.Errorf("the deviation is %g in a range of 50", s)
		}
		logs = append(logs, math.Log(f.hyper.LengthScales[0]/50))
		kinds[f.kernel()]++
	}
	if m, s := stat.MeanStdDev(logs, nil); math.Abs(m) > 0.15 || math.Abs(s-math.Log(knownFactor)) > 0.09 {
		t.Errorf("log length-scales %.3f ± %.3f about the known one, want 0 ± %.3f", m, s, math.Log(knownFactor))
	}
	if kinds["matern32"] < 5 || kinds["matern52"] < 5 || kinds["exponential"] < 5 {
		t.Errorf("shapes %v, want both Matérn kernels and the exponential alike", kinds)
	}

	p = newPlan(t, config(t, mission.Budget{Samples: 1}))
	prior := p.drawer.priors.LengthScale
	var values, lengths []float64
	for i := range 400 {
		h, _ := p.drawer.hyper(rand.New(rand.NewPCG(2, uint64(i))))
		lengths = append(lengths, math.Log(h.LengthScales[0]/prior.Median))
	}
	for i := range 24 {
		f, err := p.drawer.draw(rand.New(rand.NewPCG(3, uint64(i))))
		must.OK(t, err)
		values = append(values, f.Smooth(150, 100))
	}
	if m, s := stat.MeanStdDev(lengths, nil); math.Abs(m) > 0.15 || math.Abs(s-prior.LogStdDev) > 0.12 {
		t.Errorf("log length-scales %.3f ± %.3f about the prior's, want 0 ± %g", m, s, prior.LogStdDev)
	}
	if m, s := stat.MeanStdDev(values, nil); math.Abs(m) > 0.6 || s < 0.65 || s > 1.4 {
		t.Errorf("values in the middle %.3f ± %.3f, want 0 ± 1", m, s)
	}
}

// earlier writes samples of a plane that rises to the east, exact to 0.01, and one outside the
// field.
func earlier(t *testing.T) string {
	t.Helper()
	text := "x,y,value,stddev,place_stddev\n-20,100,8,0.01,0.1\n"
	for x := 20; x <= 140; x += 40 {
		for y := 20; y <= 180; y += 40 {
			text += fmt.Sprintf("%d,%d,%g,0.01,0.1\n", x, y, 10+float64(x)/10)
		}
	}
	file := filepath.Join(t.TempDir(), "earlier.csv")
	must.OK(t, os.WriteFile(file, []byte(text), 0o666))
	return fmt.Sprintf("earlier.file:=%q", file)
}

// Fields that are drawn with earlier samples agree with them where they were taken, and vary
// where there are none. The mission knows them.
func TestEarlier(t *testing.T) {
	p := newPlan(t, config(t, mission.Budget{Samples: 2}, earlier(t)))
	if n := len(p.cfg.Known.Earlier); n != 21 || p.value(3) != "3.0" {
		t.Fatalf("%d earlier samples, 3 is %s", n, p.value(3))
	}
	var among, beyond []float64
	for i := range 10 {
		f, err := p.drawer.draw(rand.New(rand.NewPCG(1, uint64(i))))
		must.OK(t, err)
		among = append(among, f.Smooth(80, 100))
		beyond = append(beyond, f.Smooth(290, 100))
	}
	m, s := stat.MeanStdDev(among, nil)
	_, far := stat.MeanStdDev(beyond, nil)
	if math.Abs(m-18) > 0.5 || s > 1 || far < 3*s {
		t.Errorf("%.2f ± %.2f among the samples, whose plane is 18 there, and a deviation of %.2f beyond", m, s, far)
	}
	o, err := p.flyBudget(t.Context(), trial{setting{Budget: mission.Budget{Samples: 2}}, 3})
	if err != nil || o.Samples != 2 {
		t.Errorf("%+v, %v", o, err)
	}

	c := config(t, mission.Budget{Samples: 2}, earlier(t))
	c.Known.Range = &[2]float64{0, 1}
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "range") {
		t.Errorf("a range and earlier samples: %v", err)
	}
}

// The same seed gives the same answer, missions of one number meet the same field whatever
// their budget, and a longer mission is closer to the best on the mean.
func TestStudy(t *testing.T) {
	short, long := mission.Budget{Distance: 200}, mission.Budget{Distance: 1200}
	fly := func(p *Plan, b mission.Budget, number int) Outcome {
		o, err := p.flyBudget(t.Context(), trial{setting{Budget: b}, number})
		must.OK(t, err)
		return o
	}
	c := config(t, short)
	c.Known.Length = 50
	p := newPlan(t, c)
	if !slices.Contains(p.budgets, mission.Budget{Distance: 100}) || !slices.Contains(p.budgets, mission.Budget{Distance: 400}) || p.budgets[0] != short {
		t.Errorf("budgets %v", p.budgets)
	}
	var gain, gainMap []float64
	for number := 1; number <= 8; number++ {
		a, b := fly(p, short, number), fly(p, long, number)
		if a.Length != b.Length || a.Worth != b.Worth || a.Kernel != b.Kernel {
			t.Errorf("mission %d meets other fields: %+v and %+v", number, a, b)
		}
		if a.Driven > 200 || b.Driven > 1200 || a.Samples >= b.Samples {
			t.Errorf("mission %d: %g m with %d samples, and %g m with %d", number, a.Driven, a.Samples, b.Driven, b.Samples)
		}
		gain, gainMap = append(gain, a.Regret-b.Regret), append(gainMap, a.MapError-b.MapError)
		if number > 1 {
			continue
		}
		if again := fly(newPlan(t, c), long, number); again != b { // with a field of its own, where b met that of a
			t.Errorf("mission %d is %+v, and again %+v", number, b, again)
		}
	}
	for _, g := range [][]float64{gain, gainMap} {
		if m, d := stat.MeanStdDev(g, nil); m < 2*stat.StdErr(d, 8) {
			t.Errorf("six times the distance gains %.3f ± %.3f", m, stat.StdErr(d, 8))
		}
	}
	c.Seed = 2
	if a, b := fly(p, short, 1), fly(newPlan(t, c), short, 1); a.Regret == b.Regret {
		t.Errorf("another seed gives the same mission: %+v", a)
	}
}

// A drawn raster has the correlation with the field that is asked for, over the region, and varies alike. It
// changes neither the field nor what a mission without it does.
func TestCovariate(t *testing.T) {
	c := config(t, mission.Budget{Samples: 2})
	c.Covariates = []float64{0.8}
	p := newPlan(t, c)
	for number := range 4 {
		f, err := p.drawer.draw(rand.New(rand.NewPCG(1, uint64(number))))
		if err != nil {
			t.Fatal(err)
		}
		raster, err := p.drawer.covariate(f, -0.8, rand.New(rand.NewPCG(2, uint64(number))))
		if err != nil {
			t.Fatal(err)
		}
		var values, others, near, far []float64
		for x := 10.; x <= 290; x += 10 {
			for y := 10.; y <= 190; y += 10 {
				v, _, _ := raster.Mean(x, y, [3]float64{})
				w, _, _ := raster.Mean(x+5, y, [3]float64{})
				values, others = append(values, f.Smooth(x, y)), append(others, v)
				near, far = append(near, w-v), append(far, f.Smooth(x+5, y)-f.Smooth(x, y))
			}
		}
		if r := stat.Correlation(values, others, nil); math.Abs(r+0.8) > 0.03 {
			t.Errorf("field %d, %s: correlation %.3f, want -0.8", number, f.kernel(), r)
		}
		if q := stat.StdDev(near, nil) / stat.StdDev(others, nil) / (stat.StdDev(far, nil) / stat.StdDev(values, nil)); q < 0.7 || q > 1.4 {
			t.Errorf("field %d, %s: over 5 m the raster varies %.2f times as much as the field", number, f.kernel(), q)
		}
	}
	with, err := p.flyBudget(t.Context(), trial{p.aided[0], 1})
	if err != nil {
		t.Fatal(err)
	}
	without, err := p.flyBudget(t.Context(), trial{setting{Budget: c.Budget}, 1})
	if err != nil {
		t.Fatal(err)
	}
	if with.Length != without.Length || with.Worth != without.Worth || with.MapError == without.MapError {
		t.Errorf("with a raster %+v, without %+v", with, without)
	}
}

// A second sensor measures all the way what goes with the field as closely as is asked for. It does not change what a
// mission without it does, even if the user's file has one.
func TestSecondary(t *testing.T) {
	c := config(t, mission.Budget{Samples: 6}, "secondary.type:=FieldReading")
	c.Secondary = []float64{1}
	p := newPlan(t, c)
	f, flight, err := p.fly(t.Context(), trial{p.aided[0], 1}, true)
	must.OK(t, err)
	second := flight.Record.Secondary
	if second == nil || len(second.Heard) < 10 {
		t.Fatalf("of the second sensor the explorer heard %+v", second)
	}
	// With the correlation 1 it measures the field, with the mean 50 and the standard deviation 10 over the region.
	var all []float64
	for x := 5.; x <= 295; x += 5 {
		for y := 5.; y <= 195; y += 5 {
			all = append(all, f.Smooth(x, y))
		}
	}
	mean, stdDev := stat.MeanStdDev(all, nil)
	for _, h := range second.Heard {
		// The noise of a reading is 1.
		if want := 50 + 10*(f.Smooth(h.Belief.X, h.Belief.Y)-mean)/stdDev; h.Path == 0 && math.Abs(h.Value-want) > 3 {
			t.Errorf("%g is heard where it is %.2f", h.Value, want)
		}
	}
	_, without, err := p.fly(t.Context(), trial{setting{Budget: c.Budget}, 1}, true)
	must.OK(t, err)
	if without.Record.Secondary != nil {
		t.Errorf("a mission without the sensor heard %+v", without.Record.Secondary)
	}
	_, never, err := newPlan(t, config(t, c.Budget)).fly(t.Context(), trial{setting{Budget: c.Budget}, 1}, true)
	must.OK(t, err)
	if !reflect.DeepEqual(without.Record.Observations, never.Record.Observations) {
		t.Error("a mission without the sensor is another one when the sensor is asked about")
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		want   string
		budget mission.Budget
		rules  []string
	}{
		{"too small to return home", mission.Budget{Distance: 1}, nil},
		{"too small for a sample", mission.Budget{Duration: 600}, []string{"budget.sample_time:=900.0"}},
		{"passive", mission.Budget{Samples: 2}, []string{"passive:=true"}},
		{"sample.stop", mission.Budget{Distance: 500}, []string{"sample.stop:=false"}},
		{"objective is map", mission.Budget{Samples: 2}, []string{"objective:=map"}},
		{"team lists 1", mission.Budget{Samples: 2}, []string{"team:=[/robot2/ugp_explorer]"}},
		{"field.margin", mission.Budget{Samples: 2}, []string{"robot.radius:=90.0"}},
		{"home alone takes 804 m", mission.Budget{Distance: 80}, []string{"home:=[-400.0, 100.0]"}},
		{"with 6 m the budget allows a path of 3.2 m from the start and back home, and the field is 29", mission.Budget{Distance: 6}, nil},
		{"with 40 s and 3 samples the budget allows a path of", mission.Budget{Duration: 40, Samples: 3}, nil},
	} {
		if _, err := New(config(t, c.budget, c.rules...)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: error %v, want %q", c.budget, c.rules, err, c.want)
		}
	}
	c := config(t, mission.Budget{Samples: 2})
	c.Missions = 9
	if _, err := New(c); err == nil || !strings.Contains(err.Error(), "--missions is 9, too few") {
		t.Errorf("9 missions: %v", err)
	}
}

// made returns made-up missions with each budget of a plan, whose regrets are 0.01 to 0.4, over a factor.
func made(p *Plan, over func(mission.Budget) float64) (outcomes []Outcome) {
	for _, s := range p.settings() {
		for i := range 40 {
			outcomes = append(outcomes, Outcome{
				trial: trial{s, i + 1}, Length: float64(10 * (i + 1)), Regret: 0.01 * float64(i+1) / over(s.Budget), MapError: 0.5, Worth: 2, Span: 4,
				Driven: s.Budget.Distance, Duration: 3600, Samples: 50,
			})
		}
	}
	return outcomes
}

// plan returns the plan of a question whose missions are made up.
func madeUp(t *testing.T, c Config) *Plan {
	p := newPlan(t, config(t, mission.Budget{Samples: 1})) // whose trial mission is short
	p.cfg, p.automatic = c, c.Missions == 0
	p.cfg.Missions = cmp.Or(c.Missions, mostMissions)
	p.budgets = p.tried()
	return p
}

// Of 0.01 to 0.40 the limit of half is 0.205, between the ranks 15 and 26, and that of nine in ten 0.369, between 0.33
// and 0.40. P(B≤14) of 40 with 0.5 is 0.040 and P(B≤25) 0.960. The mean of the differences of twice as much is half of
// 0.205, and their standard deviation half of 0.1169. That of ±0.1 is 0.1013, and t 1.685.
func TestSentence(t *testing.T) {
	c := config(t, mission.Budget{Distance: 6000, Samples: 60})
	c.Known.Range = &[2]float64{0, 1}
	p := madeUp(t, c)
	better := made(p, func(b mission.Budget) float64 { return b.Distance / 6000 * float64(b.Samples) / 60 })
	want := "6 km and 60 samples: the value at the place found is within 0.21 (0.15 to 0.26) of the best in half of the missions, and within 0.37 (0.33 to 0.40) in 9 of 10. Values are in the unit of the readings. 40 missions were simulated; the bounds in brackets hold with a probability of 0.9." +
		"\nThe mean mission with other budgets on the same fields: 3 km and 60 samples: 0.21 farther from the best (0.17 to 0.24); 6 km and 30 samples: 0.21 farther from the best (0.17 to 0.24); 12 km and 60 samples: 0.10 closer to the best (0.087 to 0.12); 6 km and 120 samples: 0.10 closer to the best (0.087 to 0.12)."
	if got := p.Answer(better).Sentence(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}

	// With noise that is larger than the differences none is claimed, and none in favour of less: 0.01 ± 0.0019.
	noisy := made(p, func(mission.Budget) float64 { return 1 })
	for i := range noisy {
		if noisy[i].Budget.Distance == 12000 {
			noisy[i].Regret += 0.1 - 0.2*float64(i%2)
		} else if noisy[i].Budget.Distance == 3000 {
			noisy[i].Regret -= 0.01 + 0.007*float64(i%2*2-1)
		}
	}
	p.explorer.Units = "mg/l"
	if got := p.Answer(noisy).Sentence(); !strings.Contains(got, "within 0.21 mg/l (0.15 to 0.26) of the best") || !strings.Contains(got, "12 km and 60 samples: no visible gain (0.027 farther to 0.027 mg/l closer)") ||
		!strings.Contains(got, "3 km and 60 samples: no visible loss (0.0081 to 0.012 mg/l closer)") {
		t.Errorf("of noise is said: %s", got)
	}
	p.explorer.Units = ""

	// A second sensor is compared with none, as a raster is.
	p.cfg.Secondary, p.aided = []float64{0.7}, []setting{{Budget: c.Budget, Secondary: true, Correlation: 0.7}, {Budget: c.Budget, Raster: true, Correlation: 0.6}}
	aided := made(p, func(mission.Budget) float64 { return 1 })
	for i := range aided {
		if aided[i].Secondary {
			aided[i].Regret /= 2
		}
	}
	for _, want := range []string{
		"\nThe benefit of a second sensor that is correlated with the field, for the mean mission with 6 km and 60 samples, which is within 0.21 of the best without one: with the correlation 0.7, 0.10 closer to the best (0.087 to 0.12), and the error of the median mission's map is 0.50 instead of 0.50.",
		"\nThe benefit of a raster that is correlated with the field, for the mean mission with 6 km and 60 samples, which is within 0.21 of the best without one: with the correlation 0.6, no visible difference",
	} {
		if got := p.Answer(aided).Sentence(); !strings.Contains(got, want) {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	if table := p.Answer(aided).Table(); !strings.Contains(table, "| 6 km and 60 samples, second sensor of correlation 0.7 | 40 |") {
		t.Errorf("no row of the second sensor in\n%s", table)
	}
	p.cfg.Secondary, p.aided = nil, nil

	// Early on, less is said.
	for n, want := range map[int]string{
		0: "", 1: "the first within 0.010 of the best", 3: "the first 3 within 0.030 of the best",
		5:  "6 km and 60 samples: half of 5 within 0.030 (0.010 to 0.050) of the best",
		40: "6 km and 60 samples: half of 40 within 0.21 (0.15 to 0.26) of the best, 9 in 10 within 0.37 (0.33 to 0.40)",
	} {
		a := p.Answer(better[:n])
		if line, _ := a.Line(); line != want || a.Known() != (n >= fewest) {
			t.Errorf("after %d missions: %q, want %q", n, line, want)
		}
	}
	if got := p.Answer(better[:7]).Sentence(); !strings.Contains(got, "the limit of 9 in 10 needs 10 missions") || strings.Contains(got, "other budgets") {
		t.Errorf("after 7 missions: %s", got)
	}
	if got := p.Answer(better[:12]).Sentence(); !strings.Contains(got, " or more) in 9 of 10.") || !strings.Contains(got, "upper bound of 9 in 10 needs 29 missions") {
		t.Errorf("after 12 missions: %s", got)
	}
	if svg := string(p.Answer(better[:7]).Picture()); !strings.Contains(svg, "60 samples") {
		t.Errorf("the picture after 7 missions is %s", svg)
	}

	// Without a budget the means at 480, 960, 1900 and 3900 m are 0.205, 0.1025, 0.0518 and
	// 0.0252. The last gain is below 0.02 of the 2 that the best is above the mean.
	p = madeUp(t, config(t, mission.Budget{}))
	a := p.Answer(made(p, func(b mission.Budget) float64 { return b.Distance / 480 }))
	want = "1.9 km and 50 samples: the value at the place found is within 0.052 % (0.038 to 0.066) of the best in half of the missions, and within 0.093 % (0.083 to 0.10) in 9 of 10. 100 % is the difference between the highest and the lowest value of the field. 40 missions were simulated; the bounds in brackets hold with a probability of 0.9." +
		"\nThe mean mission with other distances on the same fields: 480 m and 50 samples: 0.15 % farther from the best (0.13 to 0.18); 960 m and 50 samples: 0.051 % farther from the best (0.043 to 0.058); 3.9 km and 50 samples: 0.027 % closer to the best (0.023 to 0.031)."
	if got := a.Sentence(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if table := a.Table(); !strings.Contains(table, "With 1.9 km and 50 samples, the median mission is within 0.018 % of the best where that is 10 to 130 m, 0.051 % of the best where that is 140 to 260 m, and 0.085 % of the best where that is 270 to 400 m.") {
		t.Errorf("the table does not say how the result depends on the length-scale:\n%s", table)
	}
	if svg := string(a.Picture()); !strings.Contains(svg, "as many samples as fit") {
		t.Errorf("the picture is %s", svg)
	}
}

// Values are in the unit that people are shown, also where the sensor or the explorer takes the logarithm.
func TestUnits(t *testing.T) {
	for _, c := range []struct{ units, transform, want string }{
		{"mg/l", "none", "25 mg/l"}, {"mg/l", "log10", "25 mg/l"}, {"log10(mg/l)", "none", "25 mg/l"}, {"ln(mg/l)", "none", "25 mg/l"},
	} {
		p := newPlan(t, func() Config {
			c := config(t, mission.Budget{Samples: 1}, fmt.Sprintf("units:=%q", c.units), "reading.transform:="+c.transform)
			c.Known.Range = &[2]float64{10, 60}
			return c
		}())
		f, err := p.drawer.draw(rand.New(rand.NewPCG(1, 1)))
		must.OK(t, err)
		show := p.show(f)
		if got := p.value(show(f.best) - 35); got != c.want || math.Abs(show(f.worst)-10) > 1e-6 {
			t.Errorf("%s with %s: the best less 35 is %s, and the least %g", c.units, c.transform, got, show(f.worst))
		}
	}
	p := newPlan(t, config(t, mission.Budget{Samples: 1}, "reading.transform:=log10"))
	f, err := p.drawer.draw(rand.New(rand.NewPCG(1, 1)))
	must.OK(t, err)
	if show := p.show(f); math.Abs(show(f.best)-show(f.worst)-100) > 1e-9 || p.value(3) != "3.0 %" || !strings.Contains(p.scaleText(), "lowest log10 of the field's values") {
		t.Errorf("without a range the best is %s above the lowest: %s", p.value(show(f.best)-show(f.worst)), p.scaleText())
	}
}

// A plan without a number of missions ends with the first turn that makes the answer's limit narrow, in whatever order
// the results come. The budget that is asked about has its turn first, and the ladder its shortest distance.
func TestJudge(t *testing.T) {
	c := config(t, mission.Budget{Distance: 6000, Samples: 60})
	c.Missions = 0
	p := madeUp(t, c)
	outcomes := made(p, func(mission.Budget) float64 { return 1 })
	for number := 41; number <= 58; number++ {
		outcomes = append(outcomes, Outcome{trial: trial{setting{Budget: c.Budget}, number}, Regret: 0.2, Span: 4})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5 {
		rng.Shuffle(len(outcomes), func(i, j int) { outcomes[i], outcomes[j] = outcomes[j], outcomes[i] })
		judge := p.Judge()
		for n := 1; ; n++ {
			if n > len(outcomes) {
				t.Fatal("all missions are not enough")
			}
			enough := judge(outcomes[:n])
			if enough == nil {
				continue
			}
			own := 0
			for _, o := range enough {
				if o.Budget == c.Budget {
					own++
				}
			}
			if own != 2*bounded || len(enough) != own+4*bounded {
				t.Fatalf("%d missions are enough, %d of them of the budget", len(enough), own)
			}
			break
		}
	}
	// A field of which they say too little takes more, until the last that is allowed.
	wide := slices.Clone(outcomes)
	for i := range wide {
		wide[i].Span = 0.1
	}
	if enough := p.Judge()(wide); enough != nil {
		t.Errorf("%d missions are enough for a limit that is not narrow", len(enough))
	}
	c.Missions = 40
	if enough := madeUp(t, c).Judge()(outcomes); enough != nil {
		t.Errorf("%d missions are enough where a number is asked for", len(enough))
	}

	p = madeUp(t, config(t, mission.Budget{}))
	at := func(distance float64, samples, number int) int {
		return p.turn(trial{setting{Budget: mission.Budget{Distance: distance, Samples: samples}}, number})
	}
	for i, got := range []int{at(480, 0, 1), at(960, 0, 1), at(3900, 0, 2), at(480, 10, 1)} {
		if want := []int{1, 6, 17, 30}[i]; got != want {
			t.Errorf("turn %d is %d, want %d", i, got, want)
		}
	}
}

// Without the recommendations on the way a mission drives the same way, and recommends the same place at its end.
func TestRecommendLast(t *testing.T) {
	p := newPlan(t, config(t, mission.Budget{Distance: 900}))
	for number := 1; number <= 3; number++ {
		at := trial{setting{Budget: p.cfg.Budget}, number}
		_, last, err := p.fly(t.Context(), at, true)
		must.OK(t, err)
		_, every, err := p.fly(t.Context(), at, false)
		must.OK(t, err)
		a, b := last.Record, every.Record
		if n := len(a.Observations); n != len(b.Observations) || n < 3 || !reflect.DeepEqual(a.Observations, b.Observations) {
			t.Fatalf("mission %d takes %d samples, or %d others", number, n, len(b.Observations))
		}
		if !reflect.DeepEqual(a.Recommended[len(a.Recommended)-1], b.Recommended[len(b.Recommended)-1]) || a.Recommended[1].Target != nil || b.Recommended[1].Target == nil {
			t.Errorf("mission %d recommends %+v, and otherwise %+v", number, a.Recommended, b.Recommended)
		}
	}
}
