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
		// A subscription may ask for as much as is offered, or less.
		{ros.QoS{Depth: 1}, ros.QoS{Depth: 1, Deadline: time.Second}, []string{"deadline: the publisher offers none, the subscription asks for 1s"}},
		{ros.QoS{Depth: 1, Deadline: 2 * time.Second}, ros.QoS{Depth: 1, Deadline: time.Second}, []string{"deadline: the publisher offers 2s"}},
		{ros.QoS{Depth: 1, Deadline: time.Second}, ros.QoS{Depth: 1, Deadline: time.Second}, nil},
		{ros.QoS{Depth: 1, Deadline: time.Second}, ros.QoS{Depth: 1}, nil},
		{ros.QoS{Depth: 1}, ros.QoS{Depth: 1, Liveliness: ros.ManualByTopic}, []string{"liveliness: the publisher offers automatic"}},
		{ros.QoS{Depth: 1, Liveliness: ros.ManualByTopic}, ros.QoS{Depth: 1}, nil},
		{ros.QoS{Depth: 1, Lease: time.Second}, ros.QoS{Depth: 1, Lease: time.Minute}, nil},
		{ros.QoS{Depth: 1}, ros.QoS{Depth: 1, Lease: time.Minute}, []string{"lease"}},
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
		{"sensor data", ros.SensorData(), ros.QoS{Reliability: ros.BestEffort, Durability: ros.Volatile, History: ros.KeepLast, Depth: 5}},
		{"default", ros.DefaultQoS(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, History: ros.KeepLast, Depth: 10}},
		{"services", ros.Services(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, History: ros.KeepLast, Depth: 10}},
		{"parameters", ros.Parameters(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, History: ros.KeepLast, Depth: 1000}},
		{"parameter events", ros.ParameterEvents(), ros.QoS{Reliability: ros.Reliable, Durability: ros.Volatile, History: ros.KeepLast, Depth: 1000}},
		{"rosout", ros.Rosout(), ros.QoS{Reliability: ros.Reliable, Durability: ros.TransientLocal, History: ros.KeepLast, Depth: 1000, Lifespan: 10 * time.Second}},
		{"clock", ros.ClockQoS(), ros.QoS{Reliability: ros.BestEffort, Durability: ros.Volatile, History: ros.KeepLast, Depth: 1}},
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
		{ros.QoS{Depth: -1}, "Depth is -1"},
		{ros.QoS{Depth: 1, Reliability: 7}, "Reliability is 7"},
		{ros.QoS{Depth: 1, Durability: 7}, "Durability is 7"},
		{ros.QoS{Depth: 1, History: 7}, "History is 7"},
		{ros.QoS{Depth: 1, Lifespan: -1}, "Lifespan is -1ns"},
		{ros.QoS{Depth: 1, Deadline: -1}, "Deadline is -1ns"},
		{ros.QoS{Depth: 1, Lease: -1}, "Lease is -1ns"},
		{ros.QoS{Depth: 1, Liveliness: 7}, "Liveliness is 7"},
	} {
		if err := c.q.Validate(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want an error with %q", c.q, err, c.says)
		}
	}
	if err := (ros.QoS{History: ros.KeepAll}).Validate(); err != nil {
		t.Errorf("keep all needs no depth: %v", err)
	}
}
