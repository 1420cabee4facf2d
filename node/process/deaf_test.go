// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package process_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/fastdds"
	"ugp_explorer/node/simulation"
)

// listenTo makes a process of the test binary a program that subscribes to topics,
// see listen. Its value is the domain, and pairs of topic and type.
const listenTo = "UGP_TEST_LISTEN_TO"

// explorerTopics returns all topics that the explorer publishes, with their types.
func explorerTopics() []string {
	own := "/" + explorer.DefaultName
	return []string{
		own + "/observation", "ugp_explorer/msg/FieldObservation", own + "/status", "ugp_explorer/msg/MissionStatus",
		own + "/mean", "nav_msgs/msg/OccupancyGrid", own + "/stddev", "nav_msgs/msg/OccupancyGrid",
		own + "/acquisition", "nav_msgs/msg/OccupancyGrid", own + "/cloud", "sensor_msgs/msg/PointCloud2",
		own + "/samples", "visualization_msgs/msg/MarkerArray",
		"/goal_pose", "geometry_msgs/msg/PoseStamped", "/plan", "nav_msgs/msg/Path",
		"/diagnostics", "diagnostic_msgs/msg/DiagnosticArray", "/rosout", "rcl_interfaces/msg/Log",
	}
}

// subscribe opens readers of pairs of topic and type that want every message,
// however long it takes.
func subscribe(tr *fastdds.Transport, node string, topics []string) (readers []ros.End, err error) {
	if err := tr.AddNode(node); err != nil {
		return nil, err
	}
	q := ros.DefaultQoS().WithDepth(1 << 16)
	for i := 0; i+1 < len(topics); i += 2 {
		e := ros.Endpoint{Node: node, Name: topics[i], Type: topics[i+1], QoS: q}
		r, err := tr.Open(ros.SubscriptionEnd, e, ros.Listener{Now: func() int64 { return time.Now().UnixNano() }})
		if err != nil {
			return nil, err
		}
		readers = append(readers, r)
	}
	return readers, nil
}

// listen subscribes as listenTo says, says so when it is matched on all topics, and
// goes when its standard input ends.
func listen(settings string) error {
	words := strings.Fields(settings)
	cfg := fastdds.DefaultConfig()
	cfg.Range = fastdds.Loopback
	if _, err := fmt.Sscan(words[0], &cfg.Domain); err != nil {
		return err
	}
	tr, err := fastdds.New(cfg)
	if err != nil {
		return err
	}
	readers, err := subscribe(tr, "/deaf", words[1:])
	if err != nil {
		return errors.Join(err, tr.Close())
	}
	for _, r := range readers {
		for r.Matched() == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	fmt.Println("ready")
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, tr.Close())
}

// startDeaf starts a process that is subscribed to everything from the explorer;
// what it returns waits until it is matched, and stops it.
func (r *robot) startDeaf() (deafen func()) {
	r.Helper()
	self, err := os.Executable()
	r.must(err)
	deaf := exec.Command(self)
	deaf.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", listenTo, r.domain, strings.Join(explorerTopics(), " ")))
	deaf.Stderr = os.Stderr
	in, err := deaf.StdinPipe()
	r.must(err)
	out, err := deaf.StdoutPipe()
	r.must(err)
	r.must(deaf.Start())
	r.Cleanup(func() {
		r.must(deaf.Process.Signal(syscall.SIGCONT))
		r.must(in.Close())
		r.must(deaf.Wait())
	})
	return func() {
		r.Helper()
		if line, err := bufio.NewReader(out).ReadString('\n'); line != "ready\n" {
			r.Fatalf("the deaf subscriber says %q: %v", line, err)
		}
		r.must(deaf.Process.Signal(syscall.SIGSTOP))
	}
}

// TestDeafSubscriber has a program that wants all messages of the explorer and
// takes none before the end, and another that is stopped, so that not even its
// middleware answers: the laptop that went to sleep. The mission continues, and the
// first gets every observation when it takes them at last.
func TestDeafSubscriber(t *testing.T) {
	t.Parallel()
	r := newRobot(t, 40, func(c *simulation.Config) { c.Explorer.MapCell = 0.25 }) // a cloud of 1.2 MB
	o := r.observe()
	slow, err := subscribe(r.join(), "/slow", explorerTopics())
	r.must(err)
	deafen := r.startDeaf()
	begin := time.Now()
	r.start()
	deafen()
	o.finish()
	t.Logf("%v for a mission of %.0f s; %v", time.Since(begin).Round(time.Millisecond), o.status.ElapsedTime, o)
	for _, s := range slow {
		if s.Matched() == 0 || s.Dropped() > 0 {
			t.Errorf("%s: %d publishers are matched, %d messages were lost", s.Info().Name, s.Matched(), s.Dropped())
		}
	}
	taken := 0
	var m ugp_explorer_msgs.FieldObservation
	for left := 1; left > 0; {
		left = slow[0].Take(func(in ros.Message) {
			r.must(m.UnmarshalCDR(in.CDR))
			if int(m.Sequence) != taken {
				t.Errorf("observation %d comes as number %d", m.Sequence, taken)
			}
			taken++
		})
	}
	if taken != int(o.status.SamplesTaken) {
		t.Errorf("the slow subscriber got %d observations of %d", taken, o.status.SamplesTaken)
	}
	signalled := time.Now()
	r.signal(explorer.DefaultName, syscall.SIGINT)
	o.ended(explorer.DefaultName, signalled)
	r.stop()
	r.check()
}
