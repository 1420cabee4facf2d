//go:build fastdds

package process_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/process"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim/rig/day"
)

// vitals are what the processes of nodes say of themselves on /diagnostics.
type vitals struct {
	heard  int // messages of the node since it was started
	values map[string]string
}

// feels returns the newest vitals of each node, from now on.
func (o *observer) feels() map[string]*vitals {
	o.Helper()
	all := map[string]*vitals{}
	hear(o, "/diagnostics", ros.DefaultQoS().WithDepth(100), func(m *diagnostic_msgs.DiagnosticArray) {
		for _, s := range m.Status {
			node, ok := strings.CutSuffix(s.Name, process.VitalsName)
			if !ok {
				continue
			}
			node = strings.Clone(strings.TrimPrefix(node, "/"))
			if all[node] == nil {
				all[node] = &vitals{}
			}
			v := all[node]
			v.heard, v.values = v.heard+1, map[string]string{}
			for _, value := range s.Values {
				v.values[strings.Clone(value.Key)] = strings.Clone(value.Value)
			}
		}
	})
	return all
}

// TestRestartsDoNotGrow runs a mission without stops whose explorer is killed again and again.
// Neither its successors nor the other nodes have more goroutines, open files or memory than they
// had at first, and what they say of themselves is what the operating system says.
func TestRestartsDoNotGrow(t *testing.T) {
	const restarts = 4
	r := newRobot(t, 20, resuming(0), func(c *simulation.Config) {
		c.Explorer.Mission.Budget = mission.Budget{Duration: 24 * 3600}
		c.Explorer.Reading.AtStops = false
		c.Explorer.Path.Time = 2
		c.Fieldsim.Probe.OnlyStanding = false
	})
	o := r.observe()
	vitals := o.feels()
	r.start()
	type counts struct {
		day.Usage
		goroutines int
	}
	measured := map[string][]counts{}
	for k := range restarts + 1 {
		vitals[explorer.DefaultName] = nil
		samples := o.status.SamplesTaken
		o.wait("20 samples more, and what all processes use", func() bool {
			for _, e := range executables {
				if v := vitals[e.node]; v == nil || v.heard < 5 {
					return false
				}
			}
			return o.status.SamplesTaken >= samples+20
		})
		for _, e := range executables {
			usage, err := day.UsageOf(r.processes[e.node].PID())
			r.must(err)
			v := vitals[e.node].values
			goroutines, err := strconv.Atoi(v[process.Goroutines])
			r.must(err)
			files, err := strconv.Atoi(v[process.OpenFiles])
			r.must(err)
			resident, err := strconv.ParseFloat(v[process.Resident], 64)
			r.must(err)
			if heap, err := strconv.Atoi(v[process.Heap]); err != nil || float64(heap) > usage.Resident {
				t.Errorf("%s: a heap of %q MB, and %.0f MB resident", e.node, v[process.Heap], usage.Resident)
			}
			if files < usage.Files-3 || files > usage.Files+3 || resident < usage.Resident/2 || resident > usage.Resident*1.2 {
				t.Errorf("%s says it has %d open files and %.0f MB, and /proc %+v", e.node, files, resident, usage)
			}
			measured[e.node] = append(measured[e.node], counts{usage, goroutines})
			vitals[e.node].heard = 0
		}
		if k < restarts {
			r.kill(explorer.DefaultName)
			r.start(explorer.DefaultName)
		}
	}
	for node, list := range measured {
		t.Log(node, fmt.Sprintf("%+v", list))
		// The first process knows fewer samples, and a node's memory grows while it begins.
		first, last := list[1], list[len(list)-1]
		if most := slices.MaxFunc(list[:2], func(a, b counts) int { return a.goroutines - b.goroutines }).goroutines + 2; last.goroutines > most {
			t.Errorf("%s has %d goroutines, at first %d", node, last.goroutines, list[0].goroutines)
		}
		if last.Files > list[0].Files+2 || last.Threads > list[0].Threads+6 {
			t.Errorf("%s has %d open files and %d threads, at first %d and %d", node, last.Files, last.Threads, list[0].Files, list[0].Threads)
		}
		if last.Resident > 1.25*first.Resident+10 {
			t.Errorf("%s has %.0f MB, and %.0f MB after the first restart", node, last.Resident, first.Resident)
		}
	}
	r.stop()
}
