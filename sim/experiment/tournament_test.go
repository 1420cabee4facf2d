package experiment

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/sim"
)

func mustArena(t *testing.T, name string, files map[string]string) *Arena {
	t.Helper()
	a, err := NewArena(name, files)
	if err != nil || a == nil {
		t.Fatalf("arena %s: %v, %v", name, a, err)
	}
	return a
}

// little is a tournament of few samples.
func little(t *testing.T, entries ...string) *Tournament {
	t.Helper()
	out := &Tournament{
		Seed: 1, Trials: 2, Iterations: 5, Levels: []float64{1, 0.5}, Ratios: []float64{1},
		Arenas: []*Arena{mustArena(t, "rkhs", nil), mustArena(t, "spherical", nil)},
	}
	for _, text := range entries {
		e, err := ParseEntry(text)
		if err != nil {
			t.Fatal(err)
		}
		out.Entries = append(out.Entries, e)
	}
	return out
}

// The same figures to the bit, whatever the number of workers and the order; every
// entry meets the same field, and its first sample is the same.
func TestTournament(t *testing.T) {
	var csv, tables []string
	for _, workers := range []int{1, 4} {
		tt := little(t, "ugp-ucb", "ugp-kg+recommend=anywhere+average=3+spread=3", "grid+kernel=auto+average=2")
		scores, err := Run(t.Context(), tt.Study().Jobs(), workers, tt.Play, nil)
		if err != nil {
			t.Fatal(err)
		}
		list := values(scores)
		if workers > 1 {
			slices.Reverse(list)
		}
		var b bytes.Buffer
		if err := tt.Study().WriteCSV(&b, list); err != nil {
			t.Fatal(err)
		}
		csv, tables = append(csv, b.String()), append(tables, tt.Table(list))
		first := map[Match]Score{}
		for _, s := range list {
			key := Match{"", Condition{s.Arena, s.Level, 0}, s.Trial}
			f, ok := first[key]
			if !ok {
				first[key] = s
				continue
			}
			if s.Worth != f.Worth || s.Sampled[0] != f.Sampled[0] || !(s.Worth > 0) {
				t.Errorf("%v: worth %g and first regret %g, another entry %g and %g", s.Match, s.Worth, s.Sampled[0], f.Worth, f.Sampled[0])
			}
			for _, r := range append(slices.Clone(s.Sampled), s.Recommended...) {
				if r < -1e-6*s.Worth {
					t.Errorf("%v: a regret of %g", s.Match, r)
				}
			}
		}
	}
	if csv[0] != csv[1] || tables[0] != tables[1] {
		t.Error("one worker and four differ")
	}
	if lines := strings.Count(csv[0], "\n"); lines != 1+2*2*2*3*5 {
		t.Errorf("%d lines of figures", lines)
	}
	if !strings.Contains(tables[0], "### spherical, noise 0.5, σ̂/σ = 1: 2 of 2 trials") {
		t.Errorf("table:\n%s", tables[0])
	}
}

// Standings from figures that are known.
func TestStandings(t *testing.T) {
	tt := little(t, "ugp-ucb", "random")
	tt.Levels, tt.Iterations = []float64{1}, 20
	var scores []Score
	add := func(entry, arena string, trial int, worth, regret float64) {
		s := Score{Match: Match{entry, Condition{arena, 1, 1}, trial}, Worth: worth}
		for range 20 {
			s.Recommended, s.Sampled = append(s.Recommended, regret), append(s.Sampled, 0)
		}
		scores = append(scores, s)
	}
	add("ugp-ucb", "rkhs", 1, 2, 0.2)
	add("ugp-ucb", "rkhs", 2, 2, 0.4)
	add("random", "rkhs", 1, 2, 0.4)
	add("random", "rkhs", 2, 2, 0.4)
	add("ugp-ucb", "spherical", 1, 10, 4)
	add("ugp-ucb", "spherical", 2, 10, 4)
	add("random", "spherical", 1, 10, 1)
	if got := tt.checkpoints(); !slices.Equal(got, []int{10, 20}) {
		t.Errorf("judged after %v", got)
	}
	if all := tt.panels(scores); len(all) != 2 || len(all[1].entries[0].Results) != 1 {
		t.Fatalf("%d panels, the second of %d trials: random has one", len(all), len(all[1].entries[0].Results))
	}
	add("random", "spherical", 2, 10, 2)
	got := tt.standings(tt.panels(scores), 10)
	// rkhs: 0.15 ± 0.05 and 0.2; spherical: 0.4 and 0.15 ± 0.05.
	for i, want := range []standing{
		{Lost: 0.275, StandardError: 0.025, Rank: (1.25 + 2) / 2, Equal: 4, Trials: 4},
		{Lost: 0.175, StandardError: 0.025, Behind: -0.1, BehindError: math.Hypot(0.05, 0.05) / 2, Rank: (1.75 + 1) / 2, Better: 1, Equal: 1, Trials: 4},
	} {
		g := got[i]
		for name, d := range map[string]float64{
			"lost": g.Lost - want.Lost, "its error": g.StandardError - want.StandardError, "behind": g.Behind - want.Behind,
			"behind's error": g.BehindError - want.BehindError, "rank": g.Rank - want.Rank,
		} {
			if math.Abs(d) > 1e-12 {
				t.Errorf("entry %d: %s is off by %g: %+v", i, name, d, g)
			}
		}
		if g.Better != want.Better || g.Equal != want.Equal || g.Trials != want.Trials {
			t.Errorf("entry %d: %+v, want %+v", i, g, want)
		}
	}
	charts := tt.Charts(scores)
	if len(charts) != 2 || len(charts[0].Series[1].Mean) != 20 || math.Abs(charts[0].Series[1].Mean[3]-17.5) > 1e-9 || !slices.Equal(charts[1].Groups, []string{"rkhs", "spherical"}) {
		t.Errorf("charts %+v", charts)
	}
	if text := tt.Table(nil); !strings.Contains(text, "No trial has all methods yet.") {
		t.Errorf("the table of nothing:\n%s", text)
	}
}

func TestParseEntry(t *testing.T) {
	e, err := ParseEntry("ugp-kg+beta=0.5+recommend=anywhere+kernel=matern52+average=4+spread=6+known")
	if err != nil || e.Method != "ugp-kg" || e.Beta != 0.5 || e.Recommend != planner.RecommendAnywhere ||
		!slices.Equal(e.Kinds, []gp.Kind{gp.Matern52}) || e.Average != 4 || e.Spread != 6 || !e.Known {
		t.Errorf("%+v, %v", e, err)
	}
	for text, want := range map[string]string{
		"nobody": "nobody", "ugp-ucb+beta=-1": "finite number", "ugp-ucb+beta=x": "number", "ugp-ucb+recommend=x": "anywhere",
		"ugp-ucb+kernel=x": "kernel=x", "ugp-ucb+average=-1": "0 to 1000", "ugp-ucb+colour=red": "no such setting",
	} {
		if _, err := ParseEntry(text); !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want it to say %q", text, err, want)
		}
	}
}

func TestTournamentRefuses(t *testing.T) {
	for name, change := range map[string]func(*Tournament){
		"trials":      func(tt *Tournament) { tt.Trials = 0 },
		"iterations":  func(tt *Tournament) { tt.Iterations = 0 },
		"no arenas":   func(tt *Tournament) { tt.Arenas = nil },
		"arena twice": func(tt *Tournament) { tt.Arenas = append(tt.Arenas, tt.Arenas[0]) },
		"entry twice": func(tt *Tournament) { tt.Entries = append(tt.Entries, tt.Entries[0]) },
		"not known":   func(tt *Tournament) { tt.Entries[0].Known = true },
		"level":       func(tt *Tournament) { tt.Levels[0] = 0 },
		"ratio":       func(tt *Tournament) { tt.Ratios = []float64{1, 1} },
	} {
		tt := little(t, "ugp-ucb")
		change(tt)
		if err := tt.Validate(); !errors.Is(err, ErrPlan) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := little(t, "ugp-ucb").Validate(); err != nil {
		t.Error(err)
	}
	told := little(t, "ugp-ucb+known")
	told.Arenas = told.Arenas[1:]
	if err := told.Validate(); err != nil {
		t.Error(err)
	}
	b, _, err := told.begin(told.Study().Jobs()[0])
	if err != nil {
		t.Fatal(err)
	}
	var hyper gp.Hyper
	err = b.run(t.Context(), 1, func(_, _ []float64) { hyper = b.Learnt().Posterior.Hyper() })
	if err != nil || !reflect.DeepEqual(hyper, *told.Arenas[0].Hyper) {
		t.Errorf("an entry that is told %+v has %+v: %v", *told.Arenas[0].Hyper, hyper, err)
	}
	if _, err := NewArena("moon", nil); !errors.Is(err, ErrPlan) {
		t.Errorf("an arena that there is not: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	tt := little(t, "ugp-ucb")
	if _, err := tt.Play(ctx, tt.Study().Jobs()[0]); !errors.Is(err, why) {
		t.Errorf("a match that was broken off: %v", err)
	}
}

// What is called the maximum is the largest expected value of many places, and not
// more by much. Surveys are not shipped: their fields are left out without them.
func TestArenas(t *testing.T) {
	dir := os.Getenv("UGP_SHARED_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	files := map[string]string{"broomsbarn": filepath.Join(dir, "brooms_barn.dat"), "meuse": filepath.Join(dir, "meuse.csv")}
	for name, file := range files {
		if _, err := os.Stat(file); err != nil {
			delete(files, name)
		}
	}
	for _, name := range ArenaNames() {
		t.Run(name, func(t *testing.T) {
			a, err := NewArena(name, files)
			if err != nil {
				t.Fatal(err)
			}
			if a == nil {
				t.Skipf("needs a survey that is not shipped; point UGP_SHARED_DATA at its folder")
			}
			f, err := a.Draw(sim.Stream(1, name), a.Execution)
			if err != nil {
				t.Fatal(err)
			}
			places, best := a.Space.Points(2000, sim.Stream(1, "places")), math.Inf(-1)
			for i := range 2000 {
				best = max(best, f.Expected(places.RawRowView(i)))
			}
			if m := f.Maximum(); m < best || m > best+0.05*math.Abs(best) {
				t.Errorf("maximum %g, the best of many places %g", m, best)
			}
		})
	}
}
