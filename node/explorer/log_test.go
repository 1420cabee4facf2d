package explorer_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// told returns the messages in a world's log, those of the level INFO and of higher ones.
func (w *world) messages() (lines []string) {
	for _, line := range strings.Split(strings.TrimSpace(w.log.String()), "\n") {
		m := regexp.MustCompile(`level=(\w+) msg=("(?:[^"\\]|\\.)*"|\S+)`).FindStringSubmatch(line)
		if m == nil {
			w.t.Fatalf("a line of the log: %s", line)
		}
		lines = append(lines, m[1]+" "+strings.Trim(m[2], `"`))
	}
	return lines
}

// After the derived parameters and what a person is to do the log tells a mission in a line for each target, arrival and sample, one for the way
// home and three for the end, and nothing else, with the numbers of the record.
func TestLogTellsTheMission(t *testing.T) {
	cfg := small()
	cfg.Units = "mg/l"
	cfg.OutputDir = filepath.Join(t.TempDir(), "out")
	cfg.Report = false
	w := newWorld(t, cfg)
	m := w.mission()
	n := len(m.Observations)
	want := []string{"INFO parameters that follow the size of the field", "INFO the mission waits for a person: call ~/start to begin"}
	for i, o := range m.Observations {
		d := m.Decisions[i]
		target := fmt.Sprintf("INFO target %d: (%.2f, %.2f) m, ", i+1, d.Target[0], d.Target[1])
		if i > 0 {
			target += "… expected "
		}
		sample := fmt.Sprintf("INFO sample %d of %d at (%.2f, %.2f) m ± 0.25 m: %.2f ± 0.10 mg/l", i+1, n, o.Belief.X, o.Belief.Y, o.Value)
		if i+1 < n {
			r := m.Recommended[i]
			sample += fmt.Sprintf("… (best so far … at (%.2f, %.2f) m)", r.Target[0], r.Target[1])
		}
		want = append(want, target, fmt.Sprintf("INFO arrived at (… m from target %d", i+1), sample)
	}
	r := m.Recommendation
	want = append(want, "INFO returning home: the budget of 4 samples is used",
		fmt.Sprintf("INFO done: 4 of 4 samples, %.0f m driven in %.0f s: the budget of 4 samples is used", m.Distance, m.SimulatedTime),
		fmt.Sprintf("INFO best place found: … mg/l at (%.2f, %.2f) m", r.Target[0], r.Target[1]),
		"INFO record and report: "+cfg.OutputDir)
	got := w.messages()
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !matches(got[i], want[i]) {
			t.Fatalf("line %d does not fit\ngot:\n%s\nwant:\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// matches reports whether a text begins with the parts between … in their order.
func matches(text, pattern string) bool {
	for i, part := range strings.Split(pattern, "…") {
		at := strings.Index(text, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		text = text[at+len(part):]
	}
	return true
}
