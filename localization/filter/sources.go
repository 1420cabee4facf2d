// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"fmt"
	"math"
)

// Source says how the newest measurement of a source was used. Each source has one condition to start and
// one to continue:
//
//	source     starts when                             continues while                            otherwise
//	wheels     odometry comes                          fixes move as far as the wheels            the robot may have moved, or not (Doubt)
//	gyroscope  its rates cover a step of odometry      its turn agrees with the wheels within 5σ       nothing is learnt from it
//	                                                   and the fixes do not show that of the wheels   the heading follows the wheels
//	position   a heading is known, or found by driving the gate passes its innovation             MaxRejections are refused, then one forced in
//	heading    it comes, and is the first              the gate passes its innovation             MaxRejections are refused, then one forced in;
//	                                                   and driving shows no other                 nothing is used while driving shows another
type Source struct{ Name, Status string }

// Sources returns the state of each source, with its innovation.
func (f *EKF) Sources() [4]Source {
	wheels, gyro, position, heading := "none", "none", "none", "none"
	if e := f.now(); f.hist.len() > 0 {
		if wheels = "used"; e.doubt.on {
			wheels = "doubted: the fixes moved by another distance"
		}
		switch m := f.hist.newestMotion(); {
		case f.counts.Gyro == 0:
		case f.rivals.wrong:
			gyro = "not used: the fixes move as the wheels turn"
		case !m.gyro:
			gyro = "not used: no yaw rates over the last step of the odometry"
		case math.Abs(e.turnSigmas) > turnGate:
			gyro = innovationText("used, but it contradicts the wheels", e.turnSigmas)
		default:
			gyro = innovationText("used", e.turnSigmas)
		}
		if position, heading = e.fixes.text(), e.yaws.text(); f.compass.wrong {
			heading = FixContrary.String()
		}
	}
	return [4]Source{{"wheels", wheels}, {"gyroscope", gyro}, {"position", position}, {"heading", heading}}
}

// text returns the state of a source.
func (s *source) text() string {
	switch i := &s.innovation; {
	case i.Stamp == 0:
		return "none"
	case i.DoF == 0:
		return i.Status.String()
	case i.Status == FixRejected:
		return innovationText(fmt.Sprintf("refused, %d in a row", s.rejections), math.Sqrt(i.NIS))
	case i.Status == fixForced:
		return innovationText("used, forced after refusals", math.Sqrt(i.NIS))
	default:
		return innovationText("used", math.Sqrt(i.NIS))
	}
}

func innovationText(status string, sigmas float64) string {
	return fmt.Sprintf("%s, innovation %.1f standard deviations", status, math.Abs(sigmas))
}
