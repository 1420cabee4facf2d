// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros/exec"
)

// A paced simulation takes its time, and runs what other goroutines post while it waits, on
// its own goroutine and before time passes.
func TestPace(t *testing.T) {
	s := exec.NewSimulated(0)
	s.Pace(100)
	var ticks int
	s.Every(time.Second, func() { ticks++ })
	begun := time.Now()
	must.OK(t, s.Run(t.Context(), func() bool { return ticks == 20 }))
	if took := time.Since(begun); took < 190*time.Millisecond {
		t.Errorf("20 s at 100 times the speed took %v, want 200 ms or more", took)
	}

	s.Pace(1e-3) // a second takes quarter of an hour
	came := make(chan int64, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if !s.Post(func() { came <- s.Now() }) {
			t.Error("the callback was refused")
		}
	}()
	ended := make(chan error, 1)
	before := s.Now()
	go func() { ended <- s.Run(ctx, nil) }()
	if at := <-came; at != before {
		t.Errorf("the callback ran at %d ns, want %d", at, before)
	}
	cancel()
	if err := <-ended; err != context.Canceled {
		t.Errorf("Run returned %v", err)
	}
	if s.Post(func() {}) {
		t.Error("a callback was taken after the shutdown")
	}
}

// While work is under way, time stands still in a paced simulation, and posted callbacks run.
func TestPacedWork(t *testing.T) {
	s := exec.NewSimulated(0)
	s.Pace(1e9)
	ticks := 0
	s.Every(time.Second, func() { ticks++ })
	served, release := make(chan struct{}), make(chan struct{})
	done := false
	s.After(2500*time.Millisecond, func() {
		s.Async(func() { <-release }, func() { done = true })
		go func() {
			for range 3 {
				s.Post(func() { close(served) })
				<-served
				served = make(chan struct{})
			}
			close(release)
		}()
	})
	collected := make(chan error, 1)
	go func() { collected <- s.Run(t.Context(), func() bool { return done }) }()
	must.OK(t, <-collected)
	if s.Now() != int64(2500*time.Millisecond) || ticks != 2 {
		t.Errorf("time went on to %d ns and %d ticks, want 2.5 s and 2", s.Now(), ticks)
	}

	s.Async(func() { panic("broken") }, nil)
	var broken *exec.PanicError
	if err := s.Run(t.Context(), nil); !errors.As(err, &broken) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a panic in the work: %v", err)
	}
}

// The shutdown waits for work, whose end is not told any more.
func TestPacedWorkAtTheEnd(t *testing.T) {
	s := exec.NewSimulated(0)
	s.Pace(1)
	var worked atomic.Bool
	s.Async(func() { worked.Store(true) }, func() { t.Error("the end of the work was told after the shutdown") })
	if err := s.Close(); err != nil || !worked.Load() {
		t.Errorf("%v, worked %v", err, worked.Load())
	}
}
