//go:build fastdds

package process_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/simulation"
)

const (
	// floodRate is how many messages a second are sent on a topic, and floodTime for
	// how long.
	floodRate = 10_000
	floodTime = 500 * time.Millisecond
	// mostMemory is what a node may hold, MB; mostLog what it may have said, bytes.
	mostMemory = 300
	mostLog    = 1 << 20
)

// flood sends messages on a topic, one after the other, as fast as floodRate, for
// floodTime, and returns how many it sent.
func flood(w ros.End, messages [][]byte) (sent int, err error) {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	for begin := time.Now(); time.Since(begin) < floodTime; {
		<-ticker.C
		for ; sent < int(floodRate*min(time.Since(begin), floodTime).Seconds()); sent++ { // also on a machine that is slower
			if _, err := w.Send(ros.Message{CDR: messages[sent%len(messages)], Info: ros.MessageInfo{Source: time.Now().UnixNano()}}); err != nil {
				return sent, err
			}
		}
	}
	return sent, nil
}

// floods has a mission go on while each input in turn is flooded with what garbage
// returns for it, and then to its end.
func floods(t *testing.T, garbage func(in input, now int64) [][]byte) *robot {
	t.Helper()
	r := newRobot(t, 20, func(c *simulation.Config) { c.Explorer.Mission.Budget.Samples = 4 })
	o := r.observe()
	r.missType()
	tr := r.join()
	r.must(tr.AddNode("/garbage"))
	r.start()
	o.driving()
	for _, in := range inputs {
		messages := garbage(in, o.clock)
		if len(messages) == 0 {
			continue
		}
		w, err := tr.Open(ros.PublisherEnd, ros.Endpoint{Node: "/garbage", Name: in.topic, Type: in.empty.TypeName(), QoS: in.qos}, ros.Listener{})
		r.must(err)
		o.wait("a listener on "+in.topic, func() bool { return w.Matched() > 0 })
		var sent int
		done := make(chan struct{})
		go func() {
			sent, err = flood(w, messages)
			close(done)
		}()
		o.wait("the end of the flood on "+in.topic, func() bool {
			select {
			case <-done:
				return true
			default:
				return false
			}
		})
		r.must(err)
		r.must(w.Close())
		t.Logf("%d messages on %s; %v", sent, in.topic, o)
	}
	o.finish()
	for _, e := range executables {
		mb, said := r.memory(e.node), len(r.said(e.node))
		t.Logf("%s holds %.0f MB and said %d bytes", e.node, mb, said)
		if mb > mostMemory || said > mostLog {
			t.Errorf("%s holds %.0f MB and said %d bytes, want %d MB and %d bytes at most", e.node, mb, said, mostMemory, mostLog)
		}
	}
	r.stop()
	r.check()
	return r
}

// missType has a program publish what no node wants on each input, under the
// topic's name.
func (r *robot) missType() {
	r.Helper()
	tr := r.join()
	r.must(tr.AddNode("/stranger"))
	m := std_msgs.ColorRGBA{R: 1}
	for _, in := range inputs {
		w, err := tr.Open(ros.PublisherEnd, ros.Endpoint{Node: "/stranger", Name: in.topic, Type: m.TypeName(), QoS: ros.Latched()}, ros.Listener{})
		r.must(err)
		_, err = w.Send(ros.Message{CDR: m.AppendCDR(nil)})
		r.must(err)
	}
}

func (r *robot) said(node string) string {
	r.Helper()
	text, err := os.ReadFile(r.log(node))
	r.must(err)
	return string(text)
}

// says fails the test when a node has not said something.
func (r *robot) says(node string, texts ...string) {
	r.Helper()
	said := r.said(node)
	for _, text := range texts {
		if !strings.Contains(said, text) {
			r.Errorf("%s does not say %q", node, text)
		}
	}
}

// memory returns how much of the machine's memory a node holds, MB.
func (r *robot) memory(node string) float64 {
	r.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.processes[node].PID()))
	r.must(err)
	for _, line := range strings.Split(string(text), "\n") {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %g kB", &kb); n == 1 {
			return kb / 1024
		}
	}
	r.Fatalf("there is no VmRSS of %s in\n%s", node, text)
	return 0
}
