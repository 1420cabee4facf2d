// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"fmt"
	"math"
	"math/cmplx"
	"time"
)

const (
	// stretch is the least length of a stretch by wheels and fixes, m, and stretchStdDevs the same in standard deviations of a fix. One on which
	// the wheels have driven three times as far ends anyway.
	stretch, stretchStdDevs = 2.5, 10.0
	// straight is the least ratio of the distance from end to end of a stretch to its length by the wheels.
	straight = 0.9
	// mostScale is the largest factor by which wheels may be wrong, as for the guard. alike is the largest difference of the factors of
	// stretches that show the same scale, as a share, and scaled the number of such stretches in a row that prove it: wheels that slip, or
	// fixes that drift, seldom show the same factor for so long.
	mostScale, alike, scaled = 1.55, 0.2, 6
)

// rolled compares straight stretches of the wheels' path with the fixes: their lengths show a wrong scale of the odometry.
type rolled struct {
	newest   sighted    // the last fix, which odometry may not have reached yet
	from     sighted    // the fix with which the stretch began; stamp 0: none
	at, last complex128 // on the track, m: at its beginning, and at the last fix
	length   float64    // of the stretch by the wheels, m

	scale float64 // mean of the newest ratios of fixes to wheels, which are alike
	n     int     // their number

	right      bool    // the scale was right once: what differs since then is slip
	wrongScale float64 // ratio of the true distance to that of the wheels; 0: they are right, as far as is known
}

// hear adds a fix with its standard deviation, m. It uses the fix before it, which odometry that is slow or late has reached by now.
func (r *rolled) hear(t *track, stamp int64, place complex128, stdDev float64) {
	fix := r.newest
	r.newest = sighted{stamp: stamp, place: place}
	on, known := t.at(fix.stamp)
	since := time.Duration(fix.stamp - r.from.stamp)
	if jumped := cmplx.Abs(on-r.last) > trackSpeed*since.Seconds(); !known || r.from.stamp == 0 || since <= 0 || jumped {
		r.begin(fix, on)
		if !known {
			r.from.stamp = 0
		}
		return
	}
	r.length += cmplx.Abs(on - r.last)
	r.last = on
	moved, driven := fix.place-r.from.place, on-r.at
	if long := max(stretch, stretchStdDevs*stdDev); r.length < long || cmplx.Abs(moved) < long && r.length < 3*long {
		return
	}
	if cmplx.Abs(driven) > straight*r.length {
		r.compare(cmplx.Abs(moved) / cmplx.Abs(driven))
	}
	r.begin(fix, on)
}

// begin begins a stretch at a fix and its place on the track.
func (r *rolled) begin(fix sighted, on complex128) { r.from, r.at, r.last, r.length = fix, on, on, 0 }

// compare adds the ratio of a stretch by the fixes to that by the wheels.
func (r *rolled) compare(ratio float64) {
	if r.n == 0 || !(math.Abs(ratio/r.scale-1) < alike) {
		r.scale, r.n = ratio, 0
	}
	r.n++
	r.scale += (ratio - r.scale) / float64(r.n)
	if r.n < scaled {
		return
	}
	r.wrongScale = 0
	if right := r.scale < mostScale && r.scale > 1/mostScale; right {
		r.right = true
	} else if !r.right {
		r.wrongScale = r.scale
	}
}

// wrongWheels says what is wrong with the odometry according to the fixes, "" if nothing is, as far as is known.
func (e *EKF) wrongWheels() string {
	scale := e.rolled.wrongScale
	if scale == 0 {
		return ""
	}
	return fmt.Sprintf("the fixes move %.2g times as far as the odometry of %s says: correct the radius of the wheels or the ticks per revolution in its driver, "+
		"unless all wheels slip", scale, e.wheels.Senders())
}

// hearWheels adds a fix that was used, and logs when the odometry proves wrong, or right again.
func (e *EKF) hearWheels(stamp int64, place complex128, stdDev float64) {
	before := e.rolled.wrongScale
	e.rolled.hear(&e.track, stamp, place, stdDev)
	switch now := e.rolled.wrongScale; {
	case now == 0 && before != 0:
		e.node.Logger().Info("the odometry agrees with the fixes again")
	case now != 0 && before == 0:
		e.node.Logger().Warn(e.wrongWheels())
	}
}
