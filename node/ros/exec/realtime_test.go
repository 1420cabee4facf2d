// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec_test

import (
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros/exec"
)

// Callbacks from many goroutines run one at a time: the race detector sees the
// counter if they do not.
func TestRealTimeMutualExclusion(t *testing.T) {
	ex := exec.NewRealTime()
	const goroutines, each = 8, 500
	n := 0
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range each {
				if !ex.Post(func() { n++ }) {
					t.Error("a callback was refused")
				}
			}
		})
	}
	ex.Every(time.Millisecond, func() { n += 0 })
	must.OK(t, ex.Run(context.Background(), func() bool { return n == goroutines*each }))
	wg.Wait()
}

func TestRealTimeQueueLimit(t *testing.T) {
	const limit = 1 << 14
	ex := exec.NewRealTime()
	ran := 0
	for i := range limit + 2 {
		if ok := ex.Post(func() { ran++ }); ok != (i < limit) {
			t.Errorf("callback %d accepted: %v, with a limit of %d", i, ok, limit)
		}
	}
	must.OK(t, ex.Run(context.Background(), func() bool { return ran == limit }))
	if !ex.Post(func() {}) {
		t.Error("refused though the queue is empty again")
	}
}

func TestRealTimeAsync(t *testing.T) {
	ex := exec.NewRealTime()
	release := make(chan struct{})
	var got []string
	ex.Async(func() { <-release }, func() { got = append(got, "done") })
	ex.Post(func() { // runs while work waits
		got = append(got, "callback")
		close(release)
	})
	must.OK(t, ex.Run(context.Background(), func() bool { return len(got) == 2 }))
	if want := []string{"callback", "done"}; !slices.Equal(got, want) {
		t.Errorf("order is %v, want %v", got, want)
	}
	// At shutdown Run waits for work and leaves done out.
	finished, ctx, cancel := false, context.Context(nil), context.CancelFunc(nil)
	ctx, cancel = context.WithCancel(context.Background())
	ex.Async(func() {
		cancel()
		for range 10_000 { // Run has every chance to return first, if it does not wait
			runtime.Gosched()
		}
		finished = true
	}, func() { got = append(got, "too late") })
	if err := ex.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Run returned %v", err)
	}
	if !finished {
		t.Error("Run returned before the work did")
	}
	boom := exec.NewRealTime()
	boom.Async(func() { panic(errBoom) }, nil)
	if err := boom.Run(context.Background(), nil); !errors.Is(err, errBoom) {
		t.Errorf("a panic in work gives %v", err)
	}
}

func TestRealTimeWallClock(t *testing.T) {
	ex := exec.NewRealTime()
	before := time.Now().UnixNano()
	ticks := 0
	ex.Every(time.Millisecond, func() { ticks++ })
	must.OK(t, ex.Run(context.Background(), func() bool { return ticks == 3 }))
	if now := ex.Now(); now-before < int64(3*time.Millisecond) {
		t.Errorf("3 ticks of 1 ms took %d ns", now-before)
	}
}

// Simulated time drives the timers; a jump back keeps what is due in d due in d
// (rcl: a timer's next call after a backward jump is one period on).
func TestRealTimeSimTime(t *testing.T) {
	ex := exec.NewRealTime()
	ex.SetTime(5) // no effect on the wall clock
	if ex.Now() == 5 {
		t.Fatal("SetTime changed the wall clock")
	}
	ex.SetTime(0)
	ex.UseSimTime()
	if ex.Now() != 0 {
		t.Fatalf("before the first SetTime the time is %d, want 0", ex.Now())
	}
	var ticks []int64
	var jumps []exec.Jump
	defer ex.OnJump(func(j exec.Jump) { jumps = append(jumps, j) })()
	ex.Every(10, func() { ticks = append(ticks, ex.Now()) })
	for _, s := range []struct {
		set  int64
		want int // ticks after that
	}{
		{1000, 0}, // the first time: a jump, not a thousand ticks
		{1009, 0},
		{1010, 1},
		{1055, 2}, // missed ticks are left out
		{1059, 2},
		{1060, 3},
		{400, 3}, // back: the next tick was due in 10
		{409, 3},
		{410, 4},
	} {
		ex.SetTime(s.set)
		settled := false
		ex.Post(func() { ex.Post(func() { settled = true }) })
		must.OK(t, ex.Run(context.Background(), func() bool { return settled }))
		if len(ticks) != s.want {
			t.Fatalf("at %d there were ticks at %v, want %d of them", s.set, ticks, s.want)
		}
	}
	if want := []int64{1010, 1055, 1060, 410}; !slices.Equal(ticks, want) {
		t.Errorf("ticks at %v, want %v", ticks, want)
	}
	if len(jumps) != 2 || jumps[0] != (exec.Jump{From: 0, To: 1000}) || jumps[1] != (exec.Jump{From: 1060, To: 400}) {
		t.Errorf("jumps are %v", jumps)
	}
	// A tick that is due already when the time goes back keeps its phase.
	ex.Post(func() { ex.SetTime(100) }) // stands before the tick of 420
	ex.SetTime(425)
	must.OK(t, ex.Run(context.Background(), func() bool { return len(ticks) == 5 }))
	ex.SetTime(104) // the tick of 420 is that of 95 now
	ex.Post(func() {})
	ex.SetTime(105)
	if err := ex.Run(context.Background(), func() bool { return len(ticks) == 6 }); err != nil || ticks[4] != 100 || ticks[5] != 105 {
		t.Errorf("ticks at %v, %v, want the last at 100 and 105", ticks, err)
	}
}

// A callback may end Run while other goroutines post, over and over.
func TestRealTimeStopUnderLoad(t *testing.T) {
	for range 20 {
		ex := exec.NewRealTime()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				for ex.Post(func() {}) {
				}
			})
		}
		ex.After(time.Microsecond, func() { ex.Stop(nil) })
		must.OK(t, ex.Run(context.Background(), nil))
		wg.Wait()
	}
}

// Time that is told to pass faster does so from then on, timers with it.
func TestRealTimeSpeed(t *testing.T) {
	ex := exec.NewRealTime()
	for _, bad := range []float64{0, -1, math.Inf(1), math.NaN()} {
		if err := ex.SetSpeed(bad); err == nil {
			t.Errorf("a speed of %v is accepted", bad)
		}
	}
	const speed = 1000
	outer, before := time.Now(), ex.Now()
	must.OK(t, ex.SetSpeed(speed))
	start := ex.Now()
	inner := time.Now() // not before start
	if start < before {
		t.Errorf("the time jumps from %d to %d", before, start)
	}
	var ticks []int64
	ex.Every(time.Second, func() { ticks = append(ticks, ex.Now()) })
	must.OK(t, ex.Run(context.Background(), func() bool { return len(ticks) == 3 }))
	if d := ticks[2] - start; d < int64(3*time.Second)-speed { // armed up to a wall nanosecond before start
		t.Errorf("3 ticks of a second came within %v", time.Duration(d))
	}
	least := time.Since(inner)
	passed := time.Duration((ex.Now() - start) / speed)
	if most := time.Since(outer); passed < least-time.Microsecond || passed > most {
		t.Errorf("in %v to %v of the wall clock %v passed, %d times as fast", least, most, passed*speed, speed)
	}
}

// Stop is heeded also when it comes between Run's looking and its sleep.
func TestRealTimeStopIsNotMissed(t *testing.T) {
	ex := exec.NewRealTime()
	done := make(chan error, 1)
	go func() {
		done <- ex.Run(context.Background(), func() bool {
			ex.Stop(io.EOF)
			return false
		})
	}()
	select {
	case err := <-done:
		if err != io.EOF {
			t.Errorf("Run returns %v, want what Stop was given", err)
		}
	case <-time.After(30 * time.Second):
		t.Error("Run did not return after Stop")
	}
}

// bed is a source with callbacks for its executor, until it is closed.
type bed struct {
	ex     *exec.RealTime
	come   chan func()
	wake   chan struct{}
	closed chan struct{}
}

func (b *bed) Sleep(awake func()) bool {
	select {
	case fn := <-b.come:
		awake()
		b.ex.Deliver(fn)
		return true
	case <-b.wake:
		awake()
		return true
	case <-b.closed:
		return false
	}
}

func (b *bed) Wake() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// Run sleeps in its source: it wakes for what comes there and for all that wakes it otherwise, also
// after the source is closed or replaced.
func TestRealTimeSleepsInItsSource(t *testing.T) {
	ex := exec.NewRealTime()
	ctx, cancel := context.WithCancel(context.Background())
	ran, ended := make(chan struct{}), make(chan error, 1)
	call := func() { ran <- struct{}{} }
	newBed := func() *bed {
		b := &bed{ex: ex, come: make(chan func()), wake: make(chan struct{}, 1), closed: make(chan struct{})}
		ex.SleepIn(b)
		return b
	}
	wait := func(what string) {
		t.Helper()
		select {
		case <-ran:
		case <-time.After(30 * time.Second):
			t.Fatalf("%s did not wake Run", what)
		}
	}
	b := newBed()
	go func() { ended <- ex.Run(ctx, nil) }()
	for range 100 {
		b.come <- call
		wait("what comes")
		ex.Post(call)
		wait("Post")
		ex.After(10*time.Microsecond, call)
		wait("a timer")
		b = newBed()
	}
	close(b.closed)
	ex.Post(call)
	wait("Post after the end of the source")
	b = newBed()
	b.come <- call
	wait("the next source")
	cancel()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Run returns %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("Run did not end with its context")
	}
}
