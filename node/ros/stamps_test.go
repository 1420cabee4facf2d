// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

const second = int64(time.Second)

// stamps returns the check of a robot of 1 m/s.
func stamps(t *testing.T) ros.Stamps {
	_, node := rostest.Simulated(t, "robot", ros.NodeOptions{})
	return node.NewStamps(1)
}

// Stray stamps are refused while others come, however many there are and wherever
// the sender's clock stands.
func TestStrayStamps(t *testing.T) {
	for _, skew := range []int64{0, 5 * second, 3600 * second, 1_700_000_000 * second} {
		s := stamps(t)
		now := 1_800_000_000 * second
		for range 100 {
			now += second
			if err := s.Check(now-skew+second/20, now); err != nil {
				t.Fatalf("with a skew of %d s: %v", skew/second, err)
			}
			for _, stray := range []int64{0, now - max(skew, -skew) - 70*second, now + max(skew, -skew) + 70*second} {
				if err := s.Check(stray, now); err == nil || !strings.Contains(err.Error(), "its stamp is") {
					t.Errorf("with a skew of %d s, %d ns: %v", skew/second, stray, err)
				}
			}
			if err := s.Check(now-skew-50*second, now); err != nil {
				t.Errorf("a message that is 50 s late: %v", err)
			}
		}
	}
}

// A clock that was set is believed at once when it is nearer to the node's, and when
// nothing else has come for two seconds. When the node's own time jumps, that of all
// who have it from the same clock does.
func TestStampsOfAnotherClock(t *testing.T) {
	s := stamps(t)
	now := 1000 * second
	check := func(stamp int64, ok bool) {
		t.Helper()
		if err := s.Check(stamp, now); (err == nil) != ok {
			t.Errorf("stamp %d s at %d s: %v", stamp/second, now/second, err)
		}
	}
	now += 10000 * second
	check(second, true) // the first of all, which cannot be compared
	check(now, true)
	check(0, false)
	now += second
	check(now-7200*second, false)
	now += second
	check(now-7200*second, true)
	check(now-9000*second, false)
	now += second / 2
	check(now-7200*second, true)
	now -= 500 * second // the world starts again
	check(now-7200*second, true)
	now += second
	check(now, true)
	now = 1_700_000_000 * second // the first tick of /clock
	check(now, true)
}

// A stamp later than its arrival is refused with the seconds, from what a tenth of a metre costs on: whatever came before,
// and however long it goes on. In the time of /clock, which a node learns late, little is right.
func TestStampsAhead(t *testing.T) {
	_, node := rostest.Simulated(t, "robot", ros.NodeOptions{})
	for _, c := range []struct{ speed, most float64 }{{0.05, 1}, {1, 0.1}, {2, 0.05}, {5, 0.02}, {100, 0.02}} {
		s := node.NewStamps(c.speed)
		now := 1_800_000_000 * second
		for range 100 {
			now += second / 10
			if err := s.Check(now+int64(0.99*c.most*1e9), now); err != nil {
				t.Errorf("at %g m/s: %v", c.speed, err)
			}
			for _, ahead := range []float64{1.01 * c.most, 2, 18, 7200, 86400 * 365} {
				stamp := now + int64(ahead*1e9)
				var wrong *ros.AheadError
				if err := s.Check(stamp, now); ahead < 60 && (!errors.As(err, &wrong) || wrong.By != time.Duration(stamp-now)) || err == nil {
					t.Errorf("at %g m/s, %g s ahead: %v", c.speed, ahead, err)
				}
			}
		}
	}
	for _, ahead := range []float64{2, 18, 7200} { // and nothing else comes
		s := node.NewStamps(1)
		for now := 1_800_000_000 * second; now < 1_800_000_100*second; now += second / 5 {
			if err := s.Check(now+int64(ahead*1e9), now); err == nil || !strings.Contains(err.Error(), ros.Seconds(time.Duration(ahead*1e9))+" later than its arrival") {
				t.Fatalf("%g s ahead: %v", ahead, err)
			}
		}
	}
	s := node.NewStamps(1)
	if err := s.Check(0, 1_800_000_000*second); err == nil || !strings.Contains(err.Error(), "zero") {
		t.Errorf("a stamp of zero: %v", err)
	}
}

// The stamps of a receiver whose clock differs by the same time are corrected after two seconds, also if its fixes come early and late; never later
// than they come, and by no more than half a second too early. Clocks drift, and are set. A fix that is repeated with its old stamp, stamps that
// are only slow now and then, and a simulation's that is faster than this clock are left as they are.
func TestFixesOfAnotherClock(t *testing.T) {
	const wall, never = 1_750_000_000 * second, -1
	for name, c := range map[string]struct {
		now   int64                       // at the start, ns
		skew  func(k int64) time.Duration // stamp minus time of the measurement, of the k-th message
		every time.Duration               // 0: 300 ms
		from  int64                       // the message from which on all are right; never: none is corrected
	}{
		"right":          {wall, func(int64) time.Duration { return 0 }, 0, 0},
		"ahead":          {wall, func(int64) time.Duration { return 18 * time.Second }, 0, 11},
		"slightly ahead": {wall, func(int64) time.Duration { return 700 * time.Millisecond }, 0, 20},
		"behind":         {wall, func(int64) time.Duration { return -40 * time.Second }, 0, 11},
		"years behind":   {wall, func(int64) time.Duration { return -1024 * 7 * 24 * time.Hour }, 0, 11},
		"each 10 s":      {wall, func(int64) time.Duration { return time.Hour }, 10 * time.Second, 2},
		"drifts":         {wall, func(k int64) time.Duration { return 18*time.Second + time.Duration(k)*20*time.Microsecond }, 0, 11},
		"drifts back":    {wall, func(k int64) time.Duration { return 18*time.Second - time.Duration(k)*20*time.Microsecond }, 0, 11},
		"is set": {wall, func(k int64) time.Duration {
			if k < 100 {
				return 18 * time.Second
			}
			return 0
		}, 0, 112},
		"the computer's is not set": {1000 * second, func(int64) time.Duration { return time.Duration(wall) }, 0, 11},
		"repeated":                  {wall, func(k int64) time.Duration { return -time.Duration(k) * 300 * time.Millisecond }, 0, never},
		"now and then":              {wall, func(k int64) time.Duration { return -time.Duration(k%8) * time.Second }, 0, never},
		"since its start":           {wall, func(int64) time.Duration { return -time.Duration(wall - 5*second) }, 0, 11},
		"of 1980":                   {wall, func(int64) time.Duration { return -time.Duration(wall - 315_964_800*second) }, 0, 11},
		"a fast simulation's": {wall, func(k int64) time.Duration {
			return -time.Duration(wall-1000*second) + time.Duration(k)*2700*time.Millisecond
		}, 0, never},
		"none": {wall, func(int64) time.Duration { return -time.Duration(2 * wall) }, 0, never},
	} {
		ex := exec.NewSimulated(c.now)
		node := rostest.Node(t, inproc.New(), ex, "robot", ros.NodeOptions{})
		s := node.NewFixStamps("fix", 0)
		rng := rand.New(rand.NewPCG(1, 1))
		for k := range int64(400) {
			measured := ex.Now()
			now := measured + second/50 + rng.Int64N(second/4)
			must.OK(t, ex.RunTo(context.Background(), now))
			stamp := max(0, measured+int64(c.skew(k)))
			taken, err := s.Take(ros.TimeMsg(stamp))
			if c.from == never {
				if s.Off() != 0 || s.Wrong() != "" {
					t.Fatalf("%s: the stamps of message %d are corrected by %v", name, k, s.Off())
				}
			} else if right := err == nil && taken > measured-second/2 && taken < now+second/10; k >= c.from && !right {
				t.Fatalf("%s: message %d is taken as measured %v after it was, and it came %v after that: %v", name, k, time.Duration(taken-measured), time.Duration(now-measured), err)
			}
			must.OK(t, ex.RunTo(context.Background(), measured+int64(max(c.every, 300*time.Millisecond))))
		}
	}
}
