package replay

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// TestLong replays a bag of UGP_REPLAY_HOURS hours with poses at 50 Hz and readings
// at 1 Hz, and says how fast that was and what memory it took: half an hour of a
// robot that mows at 2 m/s is 360 observations. Memory must not grow with the bag.
func TestLong(t *testing.T) {
	hours, err := strconv.ParseFloat(os.Getenv("UGP_REPLAY_HOURS"), 64)
	if err != nil {
		t.Skip("UGP_REPLAY_HOURS is not set: the hours of the bag to make and replay")
	}
	path := filepath.Join(t.TempDir(), "long")
	r := makeBag(t, path, epoch)
	const lane, apart, speed, step = 400.0, 10.0, 2.0, 0.02
	for i := range int(hours * 3600 / step) {
		way := speed * step * float64(i)
		k := int(way / lane)
		x := way - lane*float64(k)
		if k%2 == 1 {
			x = lane - x
		}
		r.x, r.y = x, apart*float64(k%40)
		r.at += int64(step * float64(time.Second))
		r.odometry(speed)
		if i%50 == 0 {
			r.reading(hill(r.x, r.y))
		}
	}
	r.close()
	cfg := DefaultConfig()
	cfg.Explorer.OutputDir = filepath.Join(t.TempDir(), "out")
	before := time.Now()
	got := run(t, path, cfg)
	took := time.Since(before)
	m := got.Explorer().Record()
	peak := peakMemory(t)
	t.Logf("%s: %d messages, %d MB, %d observations, %d suggestions, %d fits; %.1f s, %.0f times real time; %d MB at most", time.Duration(m.SimulatedTime*float64(time.Second)).Round(time.Second),
		got.Source().Messages, bagBytes(t, path)>>20, len(m.Observations), len(m.Suggestions), len(m.Hyper), took.Seconds(), m.SimulatedTime/took.Seconds(), peak>>20)
	if len(m.Observations) < int(hours*600) {
		t.Errorf("%d observations, want 720 an hour and somewhat fewer", len(m.Observations))
	}
	const most = 400 << 20
	if peak > most {
		t.Errorf("%d MB of memory, want at most %d", peak>>20, most>>20)
	}
}

func hill(x, y float64) float64 {
	dx, dy := (x-280)/90, (y-150)/60
	return 5 / (1 + dx*dx + dy*dy)
}

// peakMemory returns the most memory that the process had, bytes.
func peakMemory(t *testing.T) int64 {
	t.Helper()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skipf("the peak of memory is read on Linux alone: %s", runtime.GOOS)
	}
	for line := range bytes.Lines(data) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kb, err := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return kb << 10
		}
	}
	t.Fatal("/proc/self/status has no VmHWM")
	return 0
}

func bagBytes(t *testing.T, path string) (n int64) {
	t.Helper()
	entries, err := os.ReadDir(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}
