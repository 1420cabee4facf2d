// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"context"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ros"
)

// odometry returns a message as a localisation filter publishes it.
func odometry() *nav_msgs.Odometry {
	m := &nav_msgs.Odometry{ChildFrameID: "base_link"}
	m.Header.FrameID = "odom"
	m.Header.Stamp = ros.TimeMsg(1_700_000_000_123_456_789)
	m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = 12.5, 1
	for i := range m.Pose.Covariance {
		m.Pose.Covariance[i] = float64(i)
	}
	return m
}

// odometryPair returns a function that publishes one Odometry and runs its
// delivery, and how many were delivered.
func odometryPair(tb testing.TB, subscriptions int) (roundTrip func(), delivered *int) {
	tb.Helper()
	ex, n := rostest.Simulated(tb, "bench", ros.NodeOptions{})
	delivered = new(int)
	for range subscriptions {
		if _, err := ros.Subscribe(n, "odom", ros.SensorData(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) {
			*delivered++
		}); err != nil {
			tb.Fatal(err)
		}
	}
	pub := rostest.Publisher[nav_msgs.Odometry](tb, n, "odom", ros.DefaultQoS())
	m, ctx := odometry(), context.Background()
	return func() {
		must.OK(tb, pub.Publish(m))
		must.OK(tb, ex.Run(ctx, nil))
	}, delivered
}

func BenchmarkOdometry(b *testing.B) {
	for _, c := range []struct {
		name          string
		subscriptions int
	}{{"one", 1}, {"four", 4}} {
		b.Run(c.name, func(b *testing.B) {
			roundTrip, _ := odometryPair(b, c.subscriptions)
			b.ReportAllocs()
			for b.Loop() {
				roundTrip()
			}
		})
	}
}

func TestOdometryAllocatesNothing(t *testing.T) {
	if rostest.Race {
		t.Skip("the race detector allocates")
	}
	roundTrip, delivered := odometryPair(t, 2)
	roundTrip()
	*delivered = 0
	if n := testing.AllocsPerRun(1000, roundTrip); n != 0 {
		t.Errorf("publishing and delivering an Odometry allocates %v times, want 0", n)
	}
	if *delivered != 2*1001 {
		t.Errorf("%d messages were delivered, want %d", *delivered, 2*1001)
	}
}
