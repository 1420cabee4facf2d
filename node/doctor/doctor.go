// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package doctor checks whether a mission could start: on this machine, in the present ROS 2 graph, and with the explorer's parameters and
// field. For each problem it says what to do. It moves nothing and leaves no files.
package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// Verdict says what a finding means for a mission.
type Verdict int

const (
	Good Verdict = iota
	Note         // a mission can start, but the user should know
	Bad          // a mission cannot start
)

// String returns "good", "note" or "bad".
func (v Verdict) String() string { return [...]string{"good", "note", "bad"}[v] }

// Result is one thing that was examined.
type Result struct {
	Subject string // in a word or two
	Verdict Verdict
	Text    string // what was found and, unless it is good, what to do
}

// examiner examines a machine and the mission that could start on it.
type examiner struct {
	Options
	getenv func(string) string
	found  []Result

	args    ros.Args
	options ros.NodeOptions
	cfg     settings.Config
	usable  bool   // an explorer can be made of cfg
	simTime bool   // its time is to come from /clock
	name    string // of that explorer, with its namespace
}

// say adds a finding. A good one is left out if the same thing was found bad.
func (x *examiner) say(v Verdict, subject, format string, a ...any) {
	if v == Good && slices.ContainsFunc(x.found, func(r Result) bool { return r.Subject == subject && r.Verdict == Bad }) {
		return
	}
	x.found = append(x.found, Result{subject, v, fmt.Sprintf(format, a...)})
}

// Options say what is examined.
type Options struct {
	Args []string // of the explorer: --ros-args and those that follow
	// Wait is how long the graph is watched, at least 7 s: missing inputs are reported after 6 s. Others are
	// found within a few seconds.
	Wait time.Duration
	// OpenTransport joins the graph that the environment names; see package process.
	OpenTransport func(enclave string) (ros.Transport, []string, error)

	executor exec.Executor // of simulated time, in tests; nil: real time
}

// Examine examines everything, and returns the findings in the order in which a reader needs
// them. It returns an error if the arguments cannot be read, or when ctx ends.
func Examine(ctx context.Context, o Options) ([]Result, error) {
	x := &examiner{Options: o, getenv: os.Getenv, cfg: settings.DefaultConfig()}
	args, rest, err := ros.ParseArgs(o.Args)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("unknown argument %q: want --ros-args followed by the explorer's ROS arguments", rest[0])
	}
	x.args = args
	if x.options, err = args.NodeOptions(nil); err != nil {
		return nil, err
	}
	x.options.NoRosout = true
	x.say(Good, "program", "%s for %s on %s", runtime.Version(), runtime.GOARCH, runtime.GOOS)
	x.environment()
	x.buffers(os.ReadFile)
	x.multicast()
	x.secured(time.Now())
	x.clock(time.Now())
	x.parameters()
	err = x.graph(ctx)
	return x.found, err
}
