// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package team

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// A mate that publishes without end takes neither the memory nor the model nor the log: the
// observations of all mates together are limited.
func TestTeamFlood(t *testing.T) {
	var log bytes.Buffer
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "n", ros.NodeOptions{LogHandler: ros.NewConsole(&log)})
	must.OK(t, err)
	defer node.Close()
	cfg := settings.DefaultConfig()
	learnt := 0
	team, err := New(node, &cfg, orb.Polygon{{{0, 0}, {100, 0}, {100, 100}}})
	must.OK(t, err)
	must.OK(t, team.Open(Mission{
		Over:  func() bool { return false },
		Learn: func(string, record.Observation) error { learnt++; return nil },
	}))
	m := &mate{name: "/robot2/ugp_explorer"}
	o := ugp_explorer_msgs.FieldObservation{Header: std_msgs.Header{FrameID: cfg.Frame}, Value: 1, Variance: 1}
	convert.BeliefWithCovariance(&o.Belief, localization.Belief{X: 50, Y: 20, XX: 0.2, YY: 0.4})
	const told = 3 * mostOfMates
	for i := range told {
		o.Sequence = uint32(i)
		o.Header.Stamp = ros.TimeMsg(int64(i) * int64(time.Second))
		team.heardObservation(m, &o)
	}
	if learnt != mostOfMates || len(team.known) != mostOfMates || team.unusable != told-mostOfMates {
		t.Errorf("of %d observations %d were learnt, %d are remembered, and %d are counted as refused; want %d, %d and %d",
			told, learnt, len(team.known), team.unusable, mostOfMates, mostOfMates, told-mostOfMates)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 1 || !strings.Contains(log.String(), "contributed 10000 observations, the largest number") {
		t.Errorf("%d lines in the log, want 1: %.500s", lines, log.String())
	}
}
