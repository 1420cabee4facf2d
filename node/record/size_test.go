package record_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/rig/recordtest"
)

// The estimate is the size of the file that is written, but for what entries differ in length.
func TestSize(t *testing.T) {
	for _, samples := range []int{1, 8, 9, 30, 500} {
		m, _, _ := recordtest.Mission(samples, 10, 10)
		m.Earlier, m.Resumed = m.Observations[:samples/2], []float64{1, 2, 3}
		for _, o := range m.Observations[:samples/3] {
			m.Team = append(m.Team, record.TeamSample{Robot: "/robot2/ugp_explorer", Observation: o})
		}
		file := filepath.Join(t.TempDir(), record.MissionFile)
		if err := m.WriteJSON(file); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		size, err := m.Size()
		if err != nil || math.Abs(float64(size)/float64(info.Size())-1) > 0.02 {
			t.Errorf("%d samples: estimated %d bytes, %v; the file has %d", samples, size, err, info.Size())
		}
	}
}

func BenchmarkSize(b *testing.B) {
	m, _, _ := recordtest.Mission(500, 10, 10)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Size(); err != nil {
			b.Fatal(err)
		}
	}
}
