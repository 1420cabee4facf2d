// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"
)

func begin() Begin {
	return Begin{
		Version: Version, Program: "test", Frame: "map", Quantity: "K", Units: "mg/l", Transform: record.TransformLog10, Reading: "Float64",
		Field: record.Field{Boundary: [][]record.Place{{{0, 0}, {10, 0}, {0, 10}}}, KeepOuts: [][][]record.Place{}},
	}
}

func run() Run {
	return Run{Stamp: 5, Wall: 6, Settings: record.Settings{"ugp_explorer": {"seed": 1, "skip.time": math.Inf(1)}}}
}

func observation(n int) record.Observation {
	return record.Observation{Sequence: n, Stamp: float64(n), Target: record.Place{1, float64(n)}, Value: 0.1 * float64(n), Readings: 3}
}

func started(t *testing.T, dir string) *Journal {
	t.Helper()
	j, s, err := Open(OS{}, dir)
	if err != nil || s != nil {
		t.Fatal(s, err)
	}
	must.OK(t, j.Start(begin(), run(), Start{Stamp: 7, Home: record.Place{3, 4}, HomeDistance: 5}))
	return j
}

// every returns the entries of a short mission after its start, at least one of each kind.
func every() []any {
	status := func(s mission.State) Status {
		return Status{Mission: mission.Status{State: s, Stamp: 8, Target: [2]float64{1, 1}, Standing: true, StandTime: 3}, Counts: map[string]int64{"poses": 2}}
	}
	choice := record.Decision{Samples: 0, Target: record.Place{1, 1}, Acquisition: math.NaN(), Mean: 0.1, StdDev: 1. / 3}
	return []any{
		Decision{Number: 1},
		Skipped{Target: record.Place{9, 9}, Reason: "no path", Stamp: 7, Until: math.MaxInt64, ByPerson: true},
		Decision{Number: 2, Choice: &choice},
		status(mission.StateTravelling),
		Progress{Stamp: 9, Elapsed: 2, Distance: 1.5, HomeDistance: 6, Track: []record.Place{{3, 4}, {3, 5}}, StdDev: []float64{0.5, 2}},
		status(mission.StateSampling),
		observation(1),
		Learnt{
			Hyper:       &record.HyperAt{Samples: 1, Hyper: record.Hyper{Kernel: "se", SignalVariance: 1. / 3, LengthScales: []float64{10, 11}}, LogLikelihood: math.NaN()},
			Recommended: record.RecommendedAt{Samples: 1, Target: &record.Place{1, 1}, Mean: 2, StdDev: math.Pi},
		},
		Stuck{Centre: record.Place{5, 6}, Radius: 0.8, Stamp: 9, Until: 600},
		Localised{Stamp: 9, Seen: []localizability.Seen{{At: orb.Point{3, 4}, Variance: 1. / 3, Metres: 0.1}}},
		record.Heard{Stamp: 9, Path: 60, Belief: record.Belief{X: 1. / 3, Y: 2, XX: 300, XY: 1, YY: 0.1}, Readings: 30, Value: 41.7, Variance: 1. / 30},
	}
}

// The beginning of a mission says which second sensor it has. Without one it is the line of programs that know of none.
func TestSecondSensor(t *testing.T) {
	second := begin()
	second.Secondary = &Secondary{Reading: "Float64", Quantity: "conductivity", Units: "mS/m"}
	for _, b := range []Begin{begin(), second} {
		line, err := appendLine(nil, 1, b)
		must.OK(t, err)
		if bytes.Contains(line, []byte("secondary")) != (b.Secondary != nil) {
			t.Errorf("%s", line)
		}
		e, err := parseLine(bytes.TrimSuffix(line, []byte("\n")))
		must.OK(t, err)
		if diff := cmp.Diff(&b, e.Begin, cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
}

// What is read equals what was written, to the last digit.
func TestRoundTrip(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	j := started(t, dir)
	for _, e := range every() {
		must.OK(t, j.Append(e))
	}
	must.OK(t, j.Close())
	j, got, err := Open(OS{}, dir)
	must.OK(t, err)
	defer j.Close()
	entries := every()
	choice := *entries[2].(Decision).Choice
	learnt := entries[7].(Learnt)
	want := &State{
		Begin: begin(), Started: &Start{Stamp: 7, Home: record.Place{3, 4}, HomeDistance: 5},
		Observations: []record.Observation{observation(1)},
		Skipped:      []Skipped{entries[1].(Skipped)},
		Stuck:        []Stuck{entries[8].(Stuck)},
		Localised:    []Localised{entries[9].(Localised)},
		Heard:        []record.Heard{entries[10].(record.Heard)},
		Decisions:    []record.Decision{choice}, Decided: 2,
		Hyper: []record.HyperAt{*learnt.Hyper}, Recommended: []record.RecommendedAt{learnt.Recommended},
		Track:   []record.Place{{3, 4}, {3, 5}},
		StdDevs: []float64{0.5, 2},
		Counts:  map[string]int64{"poses": 2},
		// The observation counts, though the mission was not told of it any more.
		Mission: mission.Status{State: mission.StatePlanning, Stamp: 8, Samples: 1, Target: [2]float64{1, 1}},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(State{}), cmpopts.IgnoreFields(State{}, "Runs"), cmpopts.EquateEmpty(), cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
	if len(got.Runs) != 1 || got.Runs[0].Stamp != 5 || got.Runs[0].Settings["ugp_explorer"]["skip.time"] != nil {
		t.Errorf("runs %+v", got.Runs)
	}
	// New lines follow the old ones.
	for _, e := range []any{Progress{Stamp: 20, Elapsed: 12, Distance: 4}, observation(2)} {
		must.OK(t, j.Commit(e))
	}
	again, err := Read(dir)
	if err != nil || len(again.Observations) != 2 || again.Mission.UsedDistance != 4 || again.Mission.Samples != 2 || len(again.Problems) > 0 {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestInUse(t *testing.T) {
	dir := t.TempDir()
	j := started(t, dir)
	if _, _, err := Open(OS{}, dir); !errors.Is(err, ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if s, err := Read(dir); err != nil || s.Started == nil {
		t.Errorf("it cannot be read meanwhile: %v", err)
	}
	must.OK(t, j.Close())
	if err := j.Commit(observation(1)); !errors.Is(err, errClosed) {
		t.Errorf("a closed journal takes an observation: %v", err)
	}
	if j, _, err := Open(OS{}, dir); err != nil || j.Close() != nil {
		t.Errorf("it is still locked: %v", err)
	}
}

// A journal without a line, or one that is discarded, leaves neither file nor folder.
func TestNothingIsLeft(t *testing.T) {
	for name, end := range map[string]func(*Journal) error{
		"not begun": (*Journal).Close,
		"discarded": func(j *Journal) error { return errors.Join(j.Start(begin()), j.Discard()) },
	} {
		root := filepath.Join(t.TempDir(), "a")
		j, _, err := Open(OS{}, filepath.Join(root, "b"))
		must.OK(t, err)
		if err := end(j); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(root); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %s is there: %v", name, root, err)
		}
	}
	if _, err := Read(t.TempDir()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder without a journal: %v", err)
	}
}

// written returns the bytes of a journal with n observations, and where each
// line ends.
func written(t *testing.T, n int) (data []byte, ends []int) {
	t.Helper()
	dir := t.TempDir()
	j := started(t, dir)
	for i := range n {
		must.OK(t, j.Append(observation(i+1)))
	}
	must.OK(t, j.Close())
	data, err := os.ReadFile(filepath.Join(dir, FileName))
	must.OK(t, err)
	for i, b := range data {
		if b == '\n' {
			ends = append(ends, i+1)
		}
	}
	return data, ends
}

// A journal that is cut off anywhere keeps every line before the cut, reports the loss, and
// can be continued.
func TestCutAnywhere(t *testing.T) {
	data, ends := written(t, 4)
	for cut := range len(data) + 1 {
		lines := 0
		for lines < len(ends) && ends[lines] <= cut {
			lines++
		}
		s, whole, _, err := read(bytes.NewReader(data[:cut]))
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if lines == 0 {
			if s != nil {
				t.Fatalf("cut at %d: %+v", cut, s)
			}
			continue
		}
		if want := max(0, lines-3); len(s.Observations) != want || whole != int64(ends[lines-1]) || (len(s.Problems) > 0) != (int64(cut) > whole) {
			t.Fatalf("cut at %d: %d observations and %d bytes, want %d and %d: %v", cut, len(s.Observations), whole, want, ends[lines-1], s.Problems)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	torn := append(append([]byte(nil), data[:ends[5]+40]...), make([]byte, 4096)...) // as after a power failure
	must.OK(t, os.WriteFile(path, torn, 0o666))
	j, s, err := Open(OS{}, dir)
	if err != nil || len(s.Observations) != 3 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "last 4136 bytes") {
		t.Fatalf("%+v, %v", s, err)
	}
	must.OK(t, errors.Join(j.Commit(observation(4)), j.Close()))
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) {
		t.Errorf("what was cut off is written anew as\n%s\nwant\n%s", got, data)
	}
}

// If one byte of the lines changes with which a mission began, it is not taken for one that has
// not begun: the error names the file and the line, and the file stays as it is.
func TestDamagedBeginning(t *testing.T) {
	data, ends := written(t, 5)
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	for at := range ends[2] {
		ofRun := ends[0] <= at && at < ends[1]-1 // without it the mission is complete
		if ofRun || at%7 > 0 && data[at] != '\n' {
			continue
		}
		for _, bad := range [][]byte{bytes.Clone(data), bytes.Clone(data[:ends[2]])} {
			if bad[at] ^= 1; at == ends[2]-1 && len(bad) == ends[2] {
				continue // a last line without its end was not written completely
			}
			must.OK(t, os.WriteFile(path, bad, 0o666))
			line := 1 + bytes.Count(data[:at], []byte{'\n'})
			_, s, err := Open(OS{}, dir)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), fmt.Sprintf("line %d is ignored: its checksum is wrong", line)) {
				t.Fatalf("byte %d of line %d: %+v, %v", at, line, s, err)
			}
			if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, bad) {
				t.Fatalf("byte %d of line %d: the file was changed: %v", at, line, err)
			}
		}
	}
}

// If one byte changes, only its line is lost, and the loss is reported. What is in the line stays
// in the file.
func TestDamagedLine(t *testing.T) {
	data, ends := written(t, 5)
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(ends[2], len(data)-1).Draw(t, "byte")
		line := 3
		for ends[line] <= at {
			line++
		}
		bad := bytes.Clone(data)
		bad[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "change"))
		s, whole, _, err := read(bytes.NewReader(bad))
		must.OK(t, err)
		if whole != int64(len(bad)) && at != len(data)-1 {
			t.Fatalf("byte %d of %d bytes: what is behind %d is cut off", at, len(bad), whole)
		}
		lost := map[int]bool{line - 2: true}
		if at == ends[line]-1 { // without its end a line spoils the next
			lost[line-1] = true
		}
		for _, o := range s.Observations {
			if lost[o.Sequence] {
				t.Fatalf("observation %d is still there", o.Sequence)
			}
			delete(lost, o.Sequence)
		}
		for n := range 5 {
			if !lost[n+1] && !has(s, n+1) {
				t.Fatalf("observation %d is lost with byte %d of line %d", n+1, at, line+1)
			}
		}
		if len(s.Problems) == 0 {
			t.Fatal("nothing is said")
		}
	})
}

// A line that is damaged at the end keeps its number.
func TestDamagedEnd(t *testing.T) {
	data, _ := written(t, 2)
	data[len(data)-9] ^= 1
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, FileName), data, 0o666))
	j, _, err := Open(OS{}, dir)
	must.OK(t, err)
	must.OK(t, errors.Join(j.Commit(observation(2)), j.Close()))
	s, err := Read(dir)
	if err != nil || len(s.Observations) != 2 || len(s.Problems) != 1 || s.Problems[0] != "line 5 is ignored: its checksum is wrong" {
		t.Errorf("%+v, %v", s, err)
	}
}

func has(s *State, n int) bool {
	for _, o := range s.Observations {
		if o.Sequence == n {
			return true
		}
	}
	return false
}

// A journal of version 1 is read. Its statuses do not say by how much the budget was enlarged, and call the kinds of a fault otherwise.
func TestVersionOne(t *testing.T) {
	first := begin()
	first.Version = 1
	var data []byte
	for i, e := range []any{first, run(), Start{Stamp: 7}, More{Added: mission.Budget{Samples: 4}}, nil, observation(1)} {
		var err error
		if e != nil {
			data, err = appendLine(data, i+1, e)
			must.OK(t, err)
			continue
		}
		line := fmt.Appendf(nil, `{"n":%d,"status":{"mission":{"state":"fault","interrupted":"driving","text":"no pose","fault":"no pose","stale_pose":true,`+
			`"gave_up":true,"samples":0,"used_distance_m":12.5,"target_m":[1,2],"driving_ns":9},"counts":{"poses":3}}`, i+1)
		data = append(append(data, fmt.Appendf(line, sealFormat, crc32.Checksum(line, castagnoli))...), '\n')
	}
	s, _, _, err := read(bytes.NewReader(data))
	if err != nil || len(s.Problems) > 0 {
		t.Fatal(err, s)
	}
	want := mission.Status{State: mission.StateFault, Interrupted: "driving", Fault: "no pose", Samples: 1, UsedDistance: 12.5, Target: record.Place{1, 2}, Driving: 9}
	if want.More.Samples = 4; s.Mission != want || s.Counts["poses"] != 3 {
		t.Errorf("the mission is %+v, and %v, want %+v", s.Mission, s.Counts, want)
	}
}

// Copies of a journal in one file, such as an older one before a newer one, are one mission.
func TestCopies(t *testing.T) {
	data, ends := written(t, 3)
	want, _, _, err := read(bytes.NewReader(data))
	must.OK(t, err)
	var each []byte
	for line := range bytes.Lines(data) {
		each = append(append(each, line...), line...)
	}
	for name, copies := range map[string][]byte{
		"twice": append(bytes.Clone(data), data...), "each line twice": each, "an older one": append(bytes.Clone(data[:ends[3]]), data...),
	} {
		s, _, _, err := read(bytes.NewReader(copies))
		if err != nil || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "repeat earlier ones") {
			t.Errorf("%s: %v, problems %q", name, err, s.Problems)
			continue
		}
		s.Problems = nil
		if diff := cmp.Diff(want, s, cmp.AllowUnexported(State{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestRefused(t *testing.T) {
	data, ends := written(t, 1)
	line := func(number int, e any) []byte {
		b, err := appendLine(nil, number, e)
		must.OK(t, err)
		return b
	}
	later := begin()
	later.Version = Version + 1
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"no journal":      {[]byte("something else\n"), "line 1 is ignored: its checksum is wrong; "},
		"no beginning":    {data[ends[0]:], "line 1 has the number 2"},
		"only a start":    {line(1, Start{}), "line 1 is not the beginning of a mission"},
		"another version": {line(1, later), fmt.Sprintf("layout has version %d; this program reads 1 to %d; nothing was changed", Version+1, Version)},
		"twice":           {append(bytes.Clone(data), line(9, observation(1))...), "already in an earlier line; nothing was changed: keep this folder"},
	} {
		if s, _, _, err := read(bytes.NewReader(c.data)); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "replace") {
			t.Errorf("%s: %+v, %v, want %q", name, s, err, c.want)
		}
	}
}
