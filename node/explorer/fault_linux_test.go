package explorer_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// fill has no file of this process grow beyond the journal's present size and so
// many bytes, as on a disk that is full, until the function that it returns is
// called.
func fill(t *testing.T, journal string, more int64) (free func()) {
	t.Helper()
	info, err := os.Stat(journal)
	if err != nil {
		t.Fatal(err)
	}
	var was syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
		t.Fatal(err)
	}
	set := func(soft uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: soft, Max: was.Max}); err != nil {
			t.Error(err)
		}
	}
	set(uint64(info.Size() + more))
	free = func() { set(was.Cur) }
	t.Cleanup(free)
	return free
}

// While the journal cannot be written, the robot stands, nothing is said to have
// been sampled, and the reason is; then the mission goes on when it is told to.
func TestDiskFull(t *testing.T) {
	for name, moment := range map[string]func(*world){
		"on the way":    func(w *world) { w.state(mission.StateTravelling); w.run(2 * time.Second) },
		"as it samples": func(w *world) { w.state(mission.StateSampling) },
	} {
		t.Run(name, func(t *testing.T) {
			w := begun(t)
			w.until("1 sample", func() bool { return len(w.observations) == 1 })
			w.state(mission.StateTravelling)
			moment(w)
			free := fill(t, filepath.Join(w.cfg.OutputDir, journal.FileName), 20)
			w.state(mission.StateFault)
			w.run(10 * time.Second)
			if w.driving() || len(w.observations) != 1 || w.status.SamplesTaken != 1 || w.explorer.Status()[:5] != "fault" {
				t.Errorf("driving %v, %d observations heard, %d counted, %s", w.driving(), len(w.observations), w.status.SamplesTaken, w.explorer.Status())
			}
			for _, want := range []string{"the journal cannot be written", "file too large"} {
				if !strings.Contains(w.status.Text, want) {
					t.Errorf("the status does not say %q: %s", want, w.status.Text)
				}
			}
			w.call("resume") // it is as full as before
			w.run(5 * time.Second)
			w.until("the fault again", func() bool { return w.explorer.State() == mission.StateFault })
			if s, err := journal.Read(w.cfg.OutputDir); err != nil || len(s.Observations) != 1 {
				t.Errorf("on the disk: %+v, %v", s, err)
			}
			free()
			w.until("room for the journal", func() bool { return strings.Contains(w.log.String(), "the journal can be written again") })
			w.run(5 * time.Second)
			if w.explorer.State() != mission.StateFault {
				t.Errorf("it goes on by itself: %s", w.explorer.Status())
			}
			w.call("resume")
			m := w.finish()
			s, err := journal.Read(w.cfg.OutputDir)
			if err != nil || len(m.Observations) != 4 || len(s.Observations) != 4 || len(w.observations) != 4 || len(s.Problems) > 0 || !s.Saved {
				t.Errorf("%d observations, %d heard, on the disk %+v, %v", len(m.Observations), len(w.observations), s, err)
			}
			if len(s.Decisions) != len(m.Decisions) || len(s.Hyper) != len(m.Hyper) {
				t.Errorf("on the disk are %d decisions of %d and %d fits of %d", len(s.Decisions), len(m.Decisions), len(s.Hyper), len(m.Hyper))
			}
		})
	}
}
