// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
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
