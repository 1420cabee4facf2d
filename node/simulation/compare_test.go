package simulation

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ugp_explorer/node/record"
)

// regrets returns an outcome whose final regrets are given; those of an earlier
// sample are there to be overlooked.
func regrets(method string, seed int64, raw, smooth, expected float64) Outcome {
	return Outcome{
		Trial: Trial{Seed: seed, Method: method}, Observations: 30, Distance: 1000 * float64(seed), Simulated: 1800,
		Regret: []record.RegretAt{
			{Samples: 1, Simple: 90, Recommended: 91, Smooth: 92, Expected: 93, Instantaneous: 94, Mean: 95},
			{Samples: 30, Simple: 0.5, Recommended: raw, Smooth: smooth, Expected: expected, Instantaneous: 0.75, Mean: 8},
		},
	}
}

// The table's figures, worked by hand: the smooth regrets of "ours" are 1, 2, 3
// (mean 2, s² = 1, s/√3 = 0.5774), of "theirs" 2, 2, 5 (mean 3, s² = 3, s/√3 = 1);
// the differences are 1, 0, 2 (mean 1, s² = 1), and a draw is no win. The
// expected regrets are 4, 4, 4 and 1, 4, 4: differences −3, 0, 0 (mean −1, s² = 3).
// The raw ones are all 7, the means 8.
func TestTable(t *testing.T) {
	outcomes := []Outcome{
		regrets("ours", 1, 7, 1, 4), regrets("theirs", 1, 7, 2, 1),
		regrets("theirs", 3, 7, 5, 4), regrets("ours", 3, 7, 3, 4), // the order of methods does not matter
		regrets("ours", 2, 7, 2, 4), regrets("theirs", 2, 7, 2, 4),
	}
	// Misses of 3 and 4 m: √((9+16)/2/2) = 2.5 m in x and in y.
	outcomes[0].Misses, outcomes[0].Consistency = []float64{3}, []float64{1}
	outcomes[1].Misses, outcomes[1].Consistency = []float64{4}, []float64{5}
	// Reckoned with as 5 m: ½√(2/4 - 2 + log 4²) = 0.56.
	outcomes[0].Assumed = 5
	table := Plan{[]string{"ours", "theirs"}, Seeds{1, 3}}.Table(outcomes)
	lines := strings.Split(table, "\n")
	for _, c := range []struct {
		line int
		want string
	}{
		{0, "over 3 seeds"},
		{2, "| method | samples | smooth | behind | expected | behind | raw | behind | mean | behind | distance, km | time, h |"},
		{3, "|---|---|---|---|---|---|---|---|---|---|---|---|"},
		{4, "| ours | 30 | 2.0000 ± 0.5774 | | 4.0000 ± 0.0000 | | 7.0000 ± 0.0000 | | 8.0000 ± 0.0000 | | 2.0 | 0.50 |"},
		{5, "| theirs | 30 | 3.0000 ± 1.0000 | 1.0000 ± 0.5774 (2) | 3.0000 ± 1.0000 | -1.0000 ± 1.0000 (0) | 7.0000 ± 0.0000 | 0.0000 ± 0.0000 (0) | 8.0000 ± 0.0000 | 0.0000 ± 0.0000 (0) | 2.0 | 0.50 |"},
		{7, "2 samples: the true places are 2.50 m from their targets"},
		{7, "distance from their beliefs 3.00"},
		{7, "; 50.0 % inside the 2σ ellipse"},
		{8, "assumed 5.00 m for this distance in the end: the error in expected values is at most 0.56 norms of the field by Proposition approx as printed (1.13 by its proof)."},
	} {
		if !strings.Contains(lines[c.line], c.want) {
			t.Errorf("line %d is %q, want %q", c.line+1, lines[c.line], c.want)
		}
	}
}

func TestWriteCSV(t *testing.T) {
	var b strings.Builder
	if err := (Plan{[]string{"ours", "theirs"}, Seeds{1, 12}}).Study(nil, nil).WriteCSV(&b, []Outcome{regrets("ours", 1, 0.25, 0.125, 0.0625), regrets("theirs", 12, 7, 8, 9)}); err != nil {
		t.Fatal(err)
	}
	want := `method,seed,samples,instantaneous,mean,simple,recommended_raw,recommended_smooth,recommended_expected
ours,1,1,94,95,90,91,92,93
ours,1,30,0.75,8,0.5,0.25,0.125,0.0625
theirs,12,1,94,95,90,91,92,93
theirs,12,30,0.75,8,0.5,7,8,9
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	full := errors.New("the disk is full")
	if err := (Plan{[]string{"ours"}, Seeds{1, 1}}).Study(nil, nil).WriteCSV(failing{full}, []Outcome{regrets("ours", 1, 1, 1, 1)}); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
}

// A mission that ended early counts on with what it had: of "theirs" the smooth
// regret is 92 to the last sample of the others.
func TestCharts(t *testing.T) {
	short := regrets("theirs", 1, 7, 8, 9)
	short.Regret = short.Regret[:1]
	charts := Plan{[]string{"ours", "theirs"}, Seeds{1, 2}}.Charts([]Outcome{regrets("ours", 1, 1, 2, 3), regrets("ours", 2, 1, 4, 3), short, regrets("theirs", 2, 7, 8, 9)})
	if len(charts) != 3 || charts[1].Name != "smooth" {
		t.Fatalf("charts %+v, want mean, smooth and expected", charts)
	}
	ours, theirs := charts[1].Series[0], charts[1].Series[1]
	if len(ours.Mean) != 30 || ours.Mean[28] != 92 || ours.Mean[29] != 3 || math.Abs(ours.Deviation[29]-math.Sqrt2) > 1e-12 {
		t.Errorf("ours ends with %v ± %v, want 92 and 3, at last ± √2", ours.Mean[28:], ours.Deviation[28:])
	}
	if theirs.Label != "theirs" || theirs.Mean[29] != 50 {
		t.Errorf("%s ends with %v, want theirs with 50", theirs.Label, theirs.Mean[29])
	}
	if charts := (Plan{[]string{"ours"}, Seeds{1, 1}}).Charts([]Outcome{{Trial: Trial{1, "ours"}}}); charts != nil {
		t.Errorf("charts without a truth: %+v", charts)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
