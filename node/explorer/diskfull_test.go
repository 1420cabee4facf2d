// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// fullDisk is a disk on which a file may grow up to a limit, as on one that others have filled.
type fullDisk struct {
	journal.OS
	limit atomic.Int64 // size of a file, bytes; 0: none
}

func (d *fullDisk) OpenFile(path string) (journal.File, error) {
	f, err := d.OS.OpenFile(path)
	if err != nil {
		return nil, err
	}
	return &fullFile{f, d}, nil
}

// fill lets no file grow beyond the journal's present size plus a number of bytes.
func (d *fullDisk) fill(t *testing.T, journal string, more int64) {
	t.Helper()
	info, err := os.Stat(journal)
	must.OK(t, err)
	d.limit.Store(info.Size() + more)
}

type fullFile struct {
	journal.File
	disk *fullDisk
}

// WriteAt writes what there is room for.
func (f *fullFile) WriteAt(b []byte, offset int64) (int, error) {
	limit := f.disk.limit.Load()
	if limit == 0 || offset+int64(len(b)) <= limit {
		return f.File.WriteAt(b, offset)
	}
	n, err := f.File.WriteAt(b[:max(0, limit-offset)], offset)
	return n, errors.Join(err, syscall.ENOSPC)
}

// stands asserts that the robot stands because the journal cannot be written, after a number of samples, and
// that the status says why.
func (w *world) stands(samples int, why ...string) {
	w.t.Helper()
	w.state(mission.StateFault)
	w.run(10 * time.Second)
	if w.driving() || len(w.observations) != samples || int(w.status.SamplesTaken) != samples || w.explorer.State() != mission.StateFault {
		w.t.Errorf("driving %v, %d observations heard, %d counted, %s", w.driving(), len(w.observations), w.status.SamplesTaken, w.explorer.Status())
	}
	for _, want := range append(why, "the journal cannot be written", "make room in "+w.cfg.OutputDir) {
		if !strings.Contains(w.status.Text, want) {
			w.t.Errorf("the status does not say %q: %s", want, w.status.Text)
		}
	}
}

// goesOn resumes the mission when the journal can be written again, and asserts that nothing of it is lost.
func (w *world) goesOn() {
	w.t.Helper()
	w.until("the journal", func() bool { return strings.Contains(w.log.String(), "the journal can be written again") })
	w.run(5 * time.Second)
	if w.explorer.State() != mission.StateFault {
		w.t.Errorf("it goes on by itself: %s", w.explorer.Status())
	}
	w.call("resume")
	m := w.finish()
	s, err := journal.Read(w.cfg.OutputDir)
	if err != nil || len(m.Observations) != 4 || len(s.Observations) != 4 || len(w.observations) != 4 || len(s.Problems) > 0 || !s.Saved {
		w.t.Errorf("%d observations, %d heard, on the disk %+v, %v", len(m.Observations), len(w.observations), s, err)
	}
	if len(s.Decisions) != len(m.Decisions) || len(s.Hyper) != len(m.Hyper) {
		w.t.Errorf("on the disk are %d decisions of %d and %d fits of %d", len(s.Decisions), len(m.Decisions), len(s.Hyper), len(m.Hyper))
	}
}

// While the journal cannot be written, the robot stands, nothing is said to have
// been sampled, and the reason is; then the mission goes on when it is told to.
func TestDiskFull(t *testing.T) {
	for name, moment := range map[string]func(*world){
		"on the way":    func(w *world) { w.state(mission.StateTravelling); w.run(2 * time.Second) },
		"as it samples": func(w *world) { w.state(mission.StateSampling) },
	} {
		t.Run(name, func(t *testing.T) {
			disk := &fullDisk{}
			w := begun(t, func(c *settings.Config) { c.Disk = disk })
			w.setsOutAfter(1)
			moment(w)
			disk.fill(t, filepath.Join(w.cfg.OutputDir, journal.FileName), 20)
			w.stands(1, "no space left on device")
			w.call("resume") // it is as full as before
			w.run(5 * time.Second)
			w.until("the fault again", func() bool { return w.explorer.State() == mission.StateFault })
			if s, err := journal.Read(w.cfg.OutputDir); err != nil || len(s.Observations) != 1 {
				t.Errorf("on the disk: %+v, %v", s, err)
			}
			disk.limit.Store(0)
			w.goesOn()
		})
	}
}

// If the record cannot be written at the end, the errors say that the journal has the samples, and
// without it that they are not saved.
func TestRecordNotWritten(t *testing.T) {
	w := begun(t)
	w.until("3 samples", func() bool { return len(w.observations) == 3 })
	w.must(os.MkdirAll(filepath.Join(w.cfg.OutputDir, record.MissionFile, "in the way"), 0o777))
	w.until("the end of the mission", w.explorer.Finished)
	path := filepath.Join(w.cfg.OutputDir, journal.FileName)
	said := func(what, text, want string) {
		t.Helper()
		if !strings.Contains(text, want) {
			t.Errorf("%s is %q, want %q", what, text, want)
		}
	}
	said("the error", fmt.Sprint(w.explorer.Err()), "all samples (4) are saved in "+path)
	said("the log", w.log.String(), "all samples (4) are saved in "+path)
	w.must(w.ex.Close())
	said("the report's error", fmt.Sprint(w.explorer.WriteReport()), "all samples (4) are saved in "+path)
	w.must(os.Remove(path))
	said("the report's error without a journal", fmt.Sprint(w.explorer.WriteReport()), "the samples are not saved: ")
}

// A mission whose folder is deleted or moved away stands as with a disk that fails, and says so.
// It can go on when the folder is back, and its end writes the record in any case.
func TestFolderGone(t *testing.T) {
	gone := func(t *testing.T) (w *world, back func()) {
		w = begun(t, func(c *settings.Config) { c.OutputDir = filepath.Join(c.OutputDir, "mission") })
		w.setsOutAfter(2)
		away := w.cfg.OutputDir + " of before"
		w.must(os.Rename(w.cfg.OutputDir, away))
		w.stands(2, filepath.Join(w.cfg.OutputDir, journal.FileName)+" was deleted, moved or replaced", "put it back, or end the mission")
		return w, func() { w.must(os.Rename(away, w.cfg.OutputDir)) }
	}
	t.Run("back", func(t *testing.T) {
		w, back := gone(t)
		back()
		w.goesOn()
	})
	t.Run("ended", func(t *testing.T) {
		w, _ := gone(t)
		w.call("stop")
		w.finish()
		if m, err := record.ReadMission(filepath.Join(w.cfg.OutputDir, record.MissionFile)); err != nil || len(m.Observations) != 2 {
			t.Errorf("the record is %+v, %v", m, err)
		}
	})
}
