package ros_test

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ros"
)

// ROS 2 documentation, "Quality of Service settings", QoS compatibilities.
func TestIncompatible(t *testing.T) {
	qos := func(r ros.Reliability, d ros.Durability) ros.QoS {
		return ros.QoS{Reliability: r, Durability: d, Depth: 1}
	}
	for _, c := range []struct {
		offered, requested ros.QoS
		why                []string // a word of each reason
	}{
		{qos(ros.BestEffort, ros.Volatile), qos(ros.BestEffort, ros.Volatile), nil},
		{qos(ros.BestEffort, ros.Volatile), qos(ros.Reliable, ros.Volatile), []string{"reliability"}},
		{qos(ros.Reliable, ros.Volatile), qos(ros.BestEffort, ros.Volatile), nil},
		{qos(ros.Reliable, ros.Volatile), qos(ros.Reliable, ros.Volatile), nil},
		{qos(ros.Reliable, ros.Volatile), qos(ros.Reliable, ros.TransientLocal), []string{"durability"}},
		{qos(ros.Reliable, ros.TransientLocal), qos(ros.Reliable, ros.Volatile), nil},
		{qos(ros.Reliable, ros.TransientLocal), qos(ros.Reliable, ros.TransientLocal), nil},
		{qos(ros.BestEffort, ros.Volatile), qos(ros.Reliable, ros.TransientLocal), []string{"reliability", "durability"}},
	} {
		why := ros.Incompatible(c.offered, c.requested)
		if len(why) != len(c.why) {
			t.Errorf("offered %v, requested %v: %v, want %v", c.offered, c.requested, why, c.why)
			continue
		}
		for i, w := range c.why {
			if !strings.Contains(why[i], w) {
				t.Errorf("offered %v, requested %v: reason %q does not speak of %s", c.offered, c.requested, why[i], w)
			}
		}
	}
}

// rmw/qos_profiles.h; rosout: rcl/logging_rosout.h.
func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want ros.QoS
	}{
		{"sensor data", ros.SensorData(), ros.QoS{Reliability: ros.BestEffort, Durability: ros.Volatile, Depth: 5}},
		{"default", ros.DefaultQoS(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, Depth: 10}},
		{"services", ros.Services(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, Depth: 10}},
		{"parameters", ros.Parameters(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, Depth: 1000}},
		{"parameter events", ros.ParameterEvents(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, Depth: 1000}},
		{"rosout", ros.Rosout(), ros.QoS{Reliability: ros.Reliable, Durability: ros.TransientLocal, Depth: 1000, Lifespan: 10 * time.Second}},
		{"clock", ros.ClockQoS(), ros.QoS{Reliability: ros.BestEffort, Durability: ros.Volatile, Depth: 1}},
	} {
		if c.got != c.want {
			t.Errorf("%s is %v, want %v", c.name, c.got, c.want)
		}
		if err := c.got.Validate(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestValidateQoS(t *testing.T) {
	for _, c := range []struct {
		q    ros.QoS
		says string
	}{
		{ros.QoS{}, "Depth is 0"},
		{ros.QoS{Depth: 1, Lifespan: -1}, "Lifespan is -1ns"},
	} {
		if err := c.q.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want an error with %q", c.q, err, c.says)
		}
	}
}
