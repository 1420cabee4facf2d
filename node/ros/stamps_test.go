package ros_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ros"
)

const second = int64(time.Second)

// Stray stamps are refused while others come, however many there are and wherever
// the sender's clock stands.
func TestStrayStamps(t *testing.T) {
	for _, skew := range []int64{0, -5 * second, 3600 * second, 1_700_000_000 * second} {
		var s ros.Stamps
		now := 1_800_000_000 * second
		for range 100 {
			now += second
			if err := s.Check(now-skew+second/10, now); err != nil {
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
	var s ros.Stamps
	now := 1000 * second
	check := func(stamp int64, ok bool) {
		t.Helper()
		if err := s.Check(stamp, now); (err == nil) != ok {
			t.Errorf("stamp %d s at %d s: %v", stamp/second, now/second, err)
		}
	}
	check(0, true) // the first of all, which cannot be compared
	check(now, true)
	check(0, false)
	now += second
	check(now+7200*second, false)
	now += second
	check(now+7200*second, true)
	check(now+9000*second, false)
	now += second / 2
	check(now+7200*second, true)
	now -= 500 * second // the world starts again
	check(now+7200*second, true)
	now += second
	check(now, true)
	now = 1_700_000_000 * second // the first tick of /clock
	check(now, true)
}
