// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
)

// Wheel odometry whose covariance does not grow is no pose, unless somebody says that its frame is the map. Whatever its covariance, it is
// on no outline and at no longitude and latitude.
func TestDrift(t *testing.T) {
	for _, c := range []struct {
		name, frame, own string
		metres           int
		growth           float64 // of the standard deviation per metre
		refused          bool
		datum            []float64
	}{
		{"constant", "odom", "map", 200, 0, true, nil},
		{"hardly growing", "robot1/odom", "map", 200, 1e-5, true, nil},
		{"growing", "odom", "map", 200, 0.02, false, nil},
		{"growing, on a datum", "odom", "map", 200, 0.02, true, []float64{8, 52}},
		{"said to be the map, on a datum", "odom", "odom", 200, 0.02, false, []float64{8, 52}},
		{"short", "odom", "map", 30, 0, false, nil},
		{"in the map", "map", "map", 200, 0, false, nil},
		{"motion capture", "world", "map", 200, 0, false, nil},
		{"said to be the map", "odom", "odom", 200, 0, false, nil},
	} {
		path := filepath.Join(t.TempDir(), "drive")
		r := makeBag(t, path, epoch)
		for i := range 10 * c.metres {
			r.at += int64(100 * time.Millisecond)
			m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: c.frame}}
			stddev := 0.03 + c.growth*0.1*float64(i)
			m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = 0.1*float64(i), 1
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = stddev*stddev, stddev*stddev, 0.01
			r.write("/odom", &m)
			if i%10 == 0 {
				r.reading(1)
			}
		}
		r.close()
		cfg, same := quick(), quick() // which both are changed
		cfg.Explorer.Frame, same.Explorer.Frame = c.own, c.own
		cfg.Explorer.Field.Datum, same.Explorer.Field.Datum = c.datum, c.datum
		_, err := opened(t, path, &cfg, Options{})
		src, fault := Open(t.Context(), path)
		must.OK(t, fault)
		_, outline := ReadDrive(src, &same, Options{})
		must.OK(t, src.Close())
		for what, err := range map[string]error{"replay": err, "outline": outline} {
			if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "-p frame_id:="+c.frame) {
				t.Errorf("%s, %s: %v", c.name, what, err)
			}
		}
	}
}
