package follower_test

import (
	"math"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// A follower that was started again while the robot is on its way gets the path that is repeated
// from its beginning. It drives on from where the robot is, and not back to the beginning, straight
// through what the path leads around. So does one that gets the path before its first pose.
func TestDrivesOnFromTheMiddleOfAPath(t *testing.T) {
	around := []orb.Point{{0, 0}, {0, 50}, {20, 50}, {20, -20}} // the wall from (10, -20) to (10, 40)
	for name, posed := range map[string]bool{"after a pose": true, "before a pose": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			w.x, w.y, w.yaw = 20.5, 20, -math.Pi/2
			if posed {
				w.run(time.Second)
			}
			w.follow(around...)
			farthest, highest := 0.0, math.Inf(-1)
			_, err := w.test.NewTimer(tick, func() {
				farthest = max(farthest, planar.DistanceFrom(orb.LineString(around), orb.Point{w.x, w.y}))
				highest = max(highest, w.y)
			})
			w.must(err)
			w.run(60 * time.Second)
			if farthest > 1 || highest > 21 {
				t.Errorf("the robot came to %.1f m from its path, and back to y = %.1f m", farthest, highest)
			}
			if math.Hypot(w.x-20, w.y+20) > 1 {
				t.Errorf("the robot ends at (%.1f, %.1f), want (20, -20)", w.x, w.y)
			}
		})
	}
}
