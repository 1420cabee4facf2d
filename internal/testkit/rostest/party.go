// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package rostest

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// Party is the test's own node among those of other processes, and what runs it.
type Party struct {
	T        testing.TB
	Ex       *exec.RealTime
	N        *ros.Node
	Log      bytes.Buffer  // of what callbacks have logged
	patience time.Duration // how long the test waits for what must happen
}

// NewParty returns a node on the transport. It is closed at the end of the test, and its log is shown if that fails.
func NewParty(t testing.TB, tr ros.Transport, name string, patience time.Duration, warnings ...string) *Party {
	t.Helper()
	p := &Party{T: t, Ex: exec.NewRealTime(), patience: patience}
	var err error
	p.N, err = ros.NewNode(tr, p.Ex, name, ros.NodeOptions{LogHandler: slog.NewTextHandler(&p.Log, nil), Warnings: warnings})
	must.OK(t, err)
	t.Cleanup(func() {
		must.OK(t, p.N.Close())
		must.OK(t, p.Ex.Close())
		if t.Failed() {
			t.Logf("the log of %s:\n%s", name, p.Log.String())
		}
	})
	return p
}

// Wait runs callbacks until cond holds.
func (p *Party) Wait(what string, cond func() bool) {
	p.T.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), p.patience)
	defer cancel()
	tick, err := p.N.NewTimer(2*time.Millisecond, func() {})
	must.OK(p.T, err)
	defer tick.Stop()
	if err := p.Ex.Run(ctx, cond); err != nil {
		p.T.Fatalf("waiting for %s: %v", what, err)
	}
}

// Switch is a client of a SetBool.
type Switch = ros.Client[std_srvs.SetBoolRequest, std_srvs.SetBoolResponse, *std_srvs.SetBoolRequest, *std_srvs.SetBoolResponse]

// Call waits for the service, calls it, and returns its message.
func (p *Party) Call(c *Switch) (message string) {
	p.T.Helper()
	p.Wait("the service", func() bool { return c.Matched() == 1 })
	done := false
	must.OK(p.T, c.Call(&std_srvs.SetBoolRequest{Data: true}, p.patience, func(res *std_srvs.SetBoolResponse, err error) {
		must.OK(p.T, err)
		done, message = true, strings.Clone(res.Message)
	}))
	p.Wait("the answer", func() bool { return done })
	return message
}
