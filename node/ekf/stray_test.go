package ekf_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/node/ekf"
)

// Odometry and fixes without a stamp, or from a clock that is not set, are refused. The
// filter would take them for time that was set back, or for years without odometry.
func TestStrayStamps(t *testing.T) {
	for _, source := range []string{"pose", "twist"} {
		d := newDrive(newRig(t, func(c *ekf.Config) { givenNode(c); c.Odometry = source }))
		d.run(100)
		before := len(d.filtered)
		const steps = 300
		for k := range steps {
			d.run(1)
			stamp := []int64{0, math.MaxInt32 * int64(time.Second), d.ex.Now() + int64(2*time.Minute)}[k%3]
			send(d.rig, d.odom, odometry(stamp, 0, 0, 0, 0, 0))
			send(d.rig, d.fix, poseMessage(stamp, 1000, 1000, 0, [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}))
		}
		if got := len(d.filtered) - before; got != steps {
			t.Errorf("odometry's %s: %d poses in %d steps", source, got, steps)
		}
		x, y, _ := along(d.k-1, startX, startY, startYaw)
		at := d.filtered[len(d.filtered)-1].Pose.Pose.Position
		if off := math.Hypot(at.X-x, at.Y-y); !(off < 1.5) {
			t.Errorf("odometry's %s: the robot is at (%.2f, %.2f), %.2f m from where it is believed", source, x, y, off)
		}
		d.mustLog("its stamp is 0.000 s")
	}
}
