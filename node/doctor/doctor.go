// Package doctor finds out whether a mission could start: on this machine, in the ROS 2 graph
// around it, and with the parameters and the field that the explorer is to have. For what is
// wrong it says what to do. It moves nothing and writes nothing that stays.
package doctor

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"

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

// Finding is one thing that was examined.
type Finding struct {
	Subject string // in a word or two
	Verdict Verdict
	Text    string // what was found and, unless it is good, what to do
}

func good(subject, format string, a ...any) Finding {
	return Finding{subject, Good, fmt.Sprintf(format, a...)}
}

func note(subject, format string, a ...any) Finding {
	return Finding{subject, Note, fmt.Sprintf(format, a...)}
}

func bad(subject, format string, a ...any) Finding {
	return Finding{subject, Bad, fmt.Sprintf(format, a...)}
}

// Options say what is examined.
type Options struct {
	Args []string // as the explorer is to get them: --ros-args and what follows
	// Wait is how long the graph is watched, at least ShortestWait. Others are found within a
	// few seconds.
	Wait time.Duration
	// OpenTransport joins the graph that the environment names; see package process.
	OpenTransport func(enclave string) (ros.Transport, []string, error)

	executor exec.Executor // of simulated time, in tests; nil: real time
}

// Examine examines everything, and returns the findings in the order in which a reader needs
// them. It returns an error if the arguments cannot be read, or when ctx ends.
func Examine(ctx context.Context, o Options) ([]Finding, error) {
	m, err := newMission(o.Args)
	if err != nil {
		return nil, err
	}
	found := []Finding{good("program", "%s for %s on %s", runtime.Version(), runtime.GOARCH, runtime.GOOS)}
	found = append(found, environment(os.Getenv)...)
	found = append(found, buffers(os.ReadFile)...)
	found = append(found, multicast(os.Getenv)...)
	found = append(found, secured(os.Getenv, m.args.Enclave, time.Now())...)
	found = append(found, clock(time.Now())...)
	found = append(found, m.parameters()...)
	found = append(found, m.folder()...)
	of, err := m.graph(ctx, o)
	return append(found, of...), err
}
