//go:build fastdds

package process_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/recorder"
	"ugp_explorer/planner/mission"
)

const (
	measuredTime = 20 * time.Second // of processor time
	manyStops    = 110
	lastStops    = 20 // of them, that are measured
)

// cpu returns the processor time that the explorer has used.
func (r *rig) cpu() time.Duration {
	r.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.p.PID()))
	r.must(err)
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // from the third on
	var user, system int64
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system) // proc(5): the 14th and the 15th
	r.must(err)
	return time.Duration(user+system) * time.Second / 100 // the kernel's USER_HZ
}

// load returns how much of a processor the explorer uses, %.
func (r *rig) load() float64 {
	r.b.Helper()
	used, begin := r.cpu(), time.Now()
	r.pass(measuredTime)
	return 100 * float64(r.cpu()-used) / float64(time.Since(begin))
}

// memory returns how much of the machine's memory the explorer holds, MB.
func (r *rig) memory() float64 {
	r.b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.p.PID()))
	r.must(err)
	for line := range strings.Lines(string(text)) {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %g kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	r.b.Fatalf("no VmRSS in\n%s", text)
	return 0
}

// From the start of the explorer's process to its first goal, with poses there
// already.
func BenchmarkFirstGoal(b *testing.B) {
	r := newRig(b)
	r.drive()
	var took []float64
	for b.Loop() {
		r.wait("the last explorer to be gone", enough, func() bool { return r.odometry.Matched() == 0 })
		r.pass(100 * time.Millisecond) // what it said at its end is heard by then
		r.goals = 0
		begin := time.Now()
		r.start("auto_start:=true")
		r.wait("a goal", enough, func() bool { return r.goals > 0 })
		took = append(took, float64(time.Since(begin))/1e6)
		r.stop()
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "ms-median")
	b.ReportMetric(took[len(took)-1], "ms-max")
}

// The explorer without a mission: alone, and with the robot's poses and readings.
func BenchmarkIdle(b *testing.B) {
	for b.Loop() {
		r := newRig(b)
		r.start()
		r.wait("the explorer", enough, func() bool {
			return r.state == mission.StateIdle && r.odometry.Matched() == 1 && r.reading.Matched() == 1
		})
		b.ReportMetric(r.load(), "cpu-%-alone")
		r.drive()
		r.pass(time.Second)
		b.ReportMetric(r.load(), "cpu-%-heard")
		b.ReportMetric(r.memory(), "rss-MB")
		r.stop()
	}
}

// Poses and readings at 50 Hz while the robot drives at 1 m/s to a goal far away,
// after ten samples or a few more; without a folder for the mission, and with one
// and what is recorded in it.
func BenchmarkTravelling(b *testing.B) {
	for _, topics := range []string{"", recorder.None, recorder.Mission, recorder.All} {
		b.Run("record="+topics, func(b *testing.B) {
			for b.Loop() {
				travel(b, topics)
			}
		})
	}
}

func travel(b *testing.B, topics string) {
	r := newRig(b)
	args := []string{"auto_start:=true", "budget.samples:=0"}
	dir := b.TempDir()
	if topics != "" {
		args = append(args, "output_dir:="+dir, "record.topics:="+topics)
	}
	r.drive()
	r.start(args...)
	r.wait("a goal far away", 2*enough, func() bool { return r.observed >= 10 && r.distance() > 2*measuredTime.Seconds() })
	r.speed = 1
	observed := r.observed
	r.pass(time.Second)
	before, begun := size(b, dir), time.Now()
	b.ReportMetric(r.load(), "cpu-%")
	b.ReportMetric((size(b, dir)-before)/time.Since(begun).Hours()/1e6, "MB/h")
	if r.observed != observed || r.state != mission.StateTravelling {
		b.Fatalf("the robot is %s and has taken %d samples", r.state, r.observed-observed)
	}
	r.stop()
}

// size returns how many bytes the files below a folder have.
func size(b *testing.B, dir string) (bytes float64) {
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		bytes += float64(info.Size())
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return bytes
}

// From the last reading of a stop to the new goal, at about 100 samples, the fit of
// the hyper-parameters and the maps included.
func BenchmarkDecision(b *testing.B) {
	for b.Loop() {
		r := newRig(b)
		r.drive()
		r.start("auto_start:=true", "budget.samples:=0")
		r.wait("samples", 5*enough, func() bool { return len(r.decided) >= manyStops })
		took := slices.Clone(r.decided[manyStops-lastStops : manyStops])
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2], "ms-median")
		b.ReportMetric(took[len(took)-1], "ms-max")
		b.ReportMetric(r.memory(), "rss-MB")
		r.stop()
	}
}
