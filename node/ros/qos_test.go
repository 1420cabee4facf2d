// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/ros"
)

// ROS 2 documentation, "Quality of Service settings", QoS compatibilities.
func TestIncompatible(t *testing.T) {
	both := []bool{false, true}
	for _, offersLess := range both {
		for _, keeps := range both {
			for _, asksLess := range both {
				for _, wantsKept := range both {
					var want []string // the policy of each reason
					if offersLess && !asksLess {
						want = append(want, "reliability")
					}
					if !keeps && wantsKept {
						want = append(want, "durability")
					}
					offered, requested := ros.QoS{BestEffort: offersLess, TransientLocal: keeps}, ros.QoS{BestEffort: asksLess, TransientLocal: wantsKept}
					if why := ros.Incompatible(offered, requested); !slices.EqualFunc(why, want, strings.HasPrefix) {
						t.Errorf("offered %+v, requested %+v: %q, want %q", offered, requested, why, want)
					}
				}
			}
		}
	}
}

// rmw/qos_profiles.h; rosout: rcl/logging_rosout.h.
func TestProfiles(t *testing.T) {
	for got, want := range map[ros.QoS]ros.QoS{
		ros.SensorData(): {Depth: 5, BestEffort: true},
		ros.DefaultQoS(): {Depth: 10},
		ros.Parameters(): {Depth: 1000},
		ros.RosoutQoS():  {Depth: 1000, TransientLocal: true, Lifespan: 10 * time.Second},
		ros.ClockQoS():   {Depth: 1, BestEffort: true},
	} {
		if got != want || got.Validate() != nil {
			t.Errorf("a profile is %+v, want %+v", got, want)
		}
	}
	for says, q := range map[string]ros.QoS{"Depth is 0": {}, "Lifespan is -1ns": {Depth: 1, Lifespan: -1}} {
		if err := q.Validate(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want an error with %q", q, err, says)
		}
	}
}
