package day

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// measured is a log of four hours: one node grows by 2 MB/h, the explorer was killed after two.
func measured() *Log {
	l := &Log{Restarts: []Restart{{Time: 2 * hour, Samples: 200, Goal: 1.26}}}
	for k := range 25 {
		time := 600 * float64(k)
		l.Readings = append(l.Readings,
			Reading{Time: time, Node: "ekf", Usage: Usage{Resident: 30 + 2*time/hour, Files: 29, CPU: 6 * time / hour}, Goroutines: 4 + k%2, Heap: 2},
			Reading{Time: time, Node: "ugp_explorer", Usage: Usage{Resident: 100, Files: 31, CPU: 12 * math.Mod(time, 2*hour+1) / hour}, Heap: 50},
		)
		decision := 0.010
		if time > 2*hour {
			decision = 0.030
		}
		l.Kept = append(l.Kept, Kept{Time: time, Samples: 100 * k / 6, Decision: decision, Journal: time / hour, Bag: 10 * time / hour})
	}
	return l
}

func TestTable(t *testing.T) {
	table := measured().Table()
	for _, want := range []string{
		"| `ekf` | 32 | 38 | 2.00 ± 0.00 | 4 to 5 | 29 | 6 |",
		"| `ugp_explorer` | 100 | 100 | 0.00 ± 0.00 | – | 31 | 12 |", // the killed process's time counts
		"| 2.0 | 200 | 10 | 2.0 | 20 | 1.3 |",
		"| 4.0 | 400 | 30 | 4.0 | 40 | |",
	} {
		if !strings.Contains(table, want+"\n") {
			t.Errorf("the table has no line %q:\n%s", want, table)
		}
	}
	short := &Log{Readings: measured().Readings[:4]}
	if got := short.Table(); !strings.Contains(got, "| `ekf` | 30 | 30 | – |") {
		t.Errorf("of ten minutes:\n%s", got)
	}
}

func TestFiles(t *testing.T) {
	l := measured()
	var readings, kept bytes.Buffer
	if err := l.WriteCSV(&readings); err != nil {
		t.Fatal(err)
	}
	if err := l.WriteKeptCSV(&kept); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(readings.String(), "\n3600,ekf,32,29,0,6,4,2\n") || strings.Count(readings.String(), "\n") != 51 {
		t.Errorf("the readings are\n%s", readings.String())
	}
	if !strings.Contains(kept.String(), "\n3600,100,0.01,1,10\n") || strings.Count(kept.String(), "\n") != 26 {
		t.Errorf("what the explorer kept is\n%s", kept.String())
	}
	if picture := string(l.Picture()); strings.Count(picture, "simulated hours") != 8 || !strings.Contains(picture, ">ekf<") {
		t.Errorf("the picture is\n%s", picture)
	}
}
