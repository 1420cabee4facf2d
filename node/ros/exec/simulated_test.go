// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros/exec"
)

func TestSimulatedOrder(t *testing.T) {
	ex := exec.NewSimulated(100)
	var got []string
	say := func(s string) func() { return func() { got = append(got, s) } }
	ex.After(20, say("b1"))
	ex.After(10, func() {
		got = append(got, "a1")
		ex.Post(say("a3"))      // after a2, which was asked for earlier
		ex.After(10, say("b3")) // same time as b1 and b2, asked for later
		ex.Async(say("work"), say("a4"))
	})
	ex.After(10, say("a2"))
	ex.After(20, say("b2"))
	ex.Post(say("now"))
	ex.After(-5, say("late")) // what is due in the past is due now
	must.OK(t, ex.Run(context.Background(), nil))
	want := []string{"now", "late", "a1", "work", "a2", "a3", "a4", "b1", "b2", "b3"}
	if !slices.Equal(got, want) {
		t.Errorf("order is %v, want %v", got, want)
	}
	if ex.Now() != 120 {
		t.Errorf("the clock shows %d, want 120", ex.Now())
	}
}

func TestSimulatedTimers(t *testing.T) {
	ex := exec.NewSimulated(0)
	var ticks []int64
	var every *exec.Timer
	every = ex.Every(10, func() {
		ticks = append(ticks, ex.Now())
		if ex.Now() == 30 {
			every.Stop()
		}
	})
	must.OK(t, ex.RunTo(context.Background(), 50))
	if want := []int64{10, 20, 30}; !slices.Equal(ticks, want) {
		t.Errorf("ticks at %v, want %v", ticks, want)
	}
	ex.After(5, func() { t.Error("a timer for once that was stopped ticks") }).Stop()
	must.OK(t, ex.RunTo(context.Background(), 62))
	if ex.Now() != 62 {
		t.Errorf("RunTo leaves the clock at %d, want 62", ex.Now())
	}
}

func TestSimulatedUntil(t *testing.T) {
	ex := exec.NewSimulated(0)
	n := 0
	ex.Every(time.Second, func() { n++ })
	for want := 3; want <= 6; want += 3 { // Run may be called again
		if err := ex.Run(context.Background(), func() bool { return n >= want }); err != nil || n != want {
			t.Fatalf("stopped at %d ticks with %v, want %d", n, err, want)
		}
	}
	idle := exec.NewSimulated(0)
	if err := idle.Run(context.Background(), func() bool { return false }); !errors.Is(err, exec.ErrIdle) {
		t.Errorf("nothing to do gives %v, want ErrIdle", err)
	}
}

// executors returns one of each kind, for what both promise.
func executors() map[string]exec.Executor {
	return map[string]exec.Executor{"simulated": exec.NewSimulated(0), "real time": exec.NewRealTime()}
}

func TestPanicShutsDown(t *testing.T) {
	for name, ex := range executors() {
		t.Run(name, func(t *testing.T) {
			var got []string
			ex.OnShutdown(func() { got = append(got, "first hook") })
			ex.OnShutdown(func() { panic("in a hook") })
			ex.OnShutdown(func() {
				got = append(got, "last hook")
				ex.Post(func() { got = append(got, "delivery") })
			})
			cancel := ex.OnShutdown(func() { got = append(got, "taken off") })
			cancel()
			ex.Post(func() { panic(errBoom) })
			err := ex.Run(context.Background(), nil)
			var p *exec.PanicError
			if !errors.As(err, &p) || !errors.Is(err, errBoom) || !strings.Contains(err.Error(), "in a hook") {
				t.Errorf("Run returned %v, want both panics", err)
			}
			if !strings.Contains(string(p.Stack), "TestPanicShutsDown") {
				t.Errorf("the stack does not show the callback:\n%s", p.Stack)
			}
			if want := []string{"last hook", "first hook", "delivery"}; !slices.Equal(got, want) {
				t.Errorf("shutdown ran %v, want %v", got, want)
			}
			if err := ex.Run(context.Background(), nil); !errors.Is(err, exec.ErrShutDown) {
				t.Errorf("Run after the shutdown returned %v, want ErrShutDown", err)
			}
			if ex.Post(func() {}) {
				t.Error("Post after the shutdown says that it was accepted")
			}
			if err := ex.Close(); err != nil {
				t.Errorf("Close after the shutdown: %v", err)
			}
		})
	}
}

var errBoom = errors.New("boom")

func TestCancelAndStop(t *testing.T) {
	for name, ex := range executors() {
		t.Run("cancel "+name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(context.Background())
			ticks, hooks := 0, 0
			ex.OnShutdown(func() { hooks++ })
			ex.Every(time.Microsecond, func() {
				if ticks++; ticks == 5 {
					cancel(errBoom)
				}
			})
			if err := ex.Run(ctx, nil); !errors.Is(err, errBoom) || ticks != 5 || hooks != 1 {
				t.Errorf("Run returned %v after %d ticks and %d hooks, want boom, 5, 1", err, ticks, hooks)
			}
		})
	}
	for name, ex := range executors() {
		t.Run("stop "+name, func(t *testing.T) {
			ticks, hooks := 0, 0
			ex.OnShutdown(func() { hooks++ })
			ex.Every(time.Microsecond, func() {
				if ticks++; ticks == 5 {
					ex.Stop(errBoom)
				}
			})
			if err := ex.Run(context.Background(), func() bool { return false }); !errors.Is(err, errBoom) || ticks != 5 || hooks != 1 {
				t.Errorf("Run returned %v after %d ticks and %d hooks, want boom, 5, 1", err, ticks, hooks)
			}
		})
	}
	for name, ex := range executors() {
		t.Run("close "+name, func(t *testing.T) {
			hooks := 0
			ex.OnShutdown(func() { hooks++ })
			if err := errors.Join(ex.Close(), ex.Close()); err != nil || hooks != 1 {
				t.Errorf("Close twice: %v, the hook ran %d times, want once", err, hooks)
			}
		})
	}
}

// Two nodes that answer each other at one instant must not hang the run.
func TestSimulatedCircle(t *testing.T) {
	ex := exec.NewSimulated(7)
	var again func()
	again = func() { ex.Post(again) }
	again()
	if err := ex.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), "time 7 ns") {
		t.Errorf("an endless circle gives %v, want an error that names the time", err)
	}
}

// A jump runs nothing of the time between, leaves timers as long to wait as they
// had, and is told of.
func TestSimulatedJump(t *testing.T) {
	ex := exec.NewSimulated(100)
	var ticks []int64
	ex.Every(10, func() { ticks = append(ticks, ex.Now()) })
	var jumps []exec.Jump
	cancel := ex.OnJump(func(j exec.Jump) { jumps = append(jumps, j) })
	for _, step := range []struct{ jump, run int64 }{{0, 115}, {1000, 1012}, {50, 60}} {
		if step.jump != 0 {
			ex.Jump(step.jump)
		}
		must.OK(t, ex.RunTo(context.Background(), step.run))
	}
	cancel()
	ex.Jump(7)
	must.OK(t, ex.RunTo(context.Background(), 8))
	// 5 of 10 were over at 115, so the next is at 1005; 7 at 1012, so at 53.
	if want := []int64{110, 1005, 53}; !slices.Equal(ticks, want) {
		t.Errorf("ticks at %v, want %v", ticks, want)
	}
	if want := []exec.Jump{{From: 115, To: 1000}, {From: 1012, To: 50}}; !slices.Equal(jumps, want) {
		t.Errorf("jumps %v, want %v", jumps, want)
	}
}
