package exec_test

import (
	"context"
	"testing"
	"time"

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
	if err := s.Run(t.Context(), func() bool { return ticks == 20 }); err != nil {
		t.Fatal(err)
	}
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
