// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"fmt"
	"slices"

	"ugp_explorer/localization"
)

// drift distinguishes dead reckoning from a localisation: wheels lose their place with the distance that they
// drive, whatever constant their driver writes into the covariance.
type drift struct {
	driven       float64 // m
	early, later float64 // largest standard deviation over the first metres, and since, m
}

const (
	// driftShare is the share of the distance driven by which good wheel odometry is off.
	driftShare = 0.01
	// leastDriven is the distance below which nobody can tell, m.
	leastDriven = 50
	// earlyDriven is the distance after which a covariance should have grown, m.
	earlyDriven = 10
	// growth is the least growth of the standard deviation that counts.
	growth = 1.5
)

// wholeFrames are frames whose poses are places by their names.
var wholeFrames = []string{"map", "world", "earth", "utm"}

// add adds a pose after the distance so far.
func (d *drift) add(p *localization.Pose) {
	stddev, _, _ := p.PositionCovariance().Axes()
	if d.driven < earlyDriven {
		d.early = max(d.early, stddev)
	} else {
		d.later = max(d.later, stddev)
	}
}

// check returns an error if poses in a frame of their own cannot be as certain as they state.
func (d *drift) check(frame, topic string) error {
	if slices.Contains(wholeFrames, frame) || d.driven < leastDriven || d.later > growth*d.early || d.later > driftShare*d.driven {
		return nil
	}
	return fmt.Errorf("the poses on %s are dead reckoning: they are in the frame %q, and their standard deviation is still %.2g m after a drive of %.0f m, over which the error of wheel odometry grows to metres, so they do not show where the robot was; "+
		"use a bag that also has the fixes of a receiver; %s", topic, frame, d.later, d.driven, orMap(frame))
}

// orMap names the parameter for poses of a localisation in a frame with the name of another kind.
func orMap(frame string) string {
	return fmt.Sprintf("if these are the poses of a localisation, and %q is the frame of the map, give -p frame_id:=%s", frame, frame)
}
