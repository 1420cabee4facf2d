// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"math"
	"time"

	"gonum.org/v1/gonum/spatial/r3"

	"ugp_explorer/localization"
	"ugp_explorer/node/tf"
)

// located is a pose by the transforms, with its covariance.
type located struct {
	localization.Pose
	// Continuous says that the frames have odometry below the localisation's corrections,
	// so that Speed and Metres are known: the pose itself jumps with each correction.
	Continuous bool
	Speed      float64 // by the odometry, over the last speedTime, m/s
	Metres     float64 // driven since the pose before, by the odometry, m
}

const (
	// stdDevPerMetre is the standard deviation in x and y that a metre of driving adds to that of the last
	// belief, m/m.
	stdDevPerMetre = 0.1
	// posePeriod is the least time between two poses.
	posePeriod = 50 * time.Millisecond
	// speedTime is the time over which the speed is measured: long enough that millimetres of
	// jitter of a visual odometry do not count as speed.
	speedTime = 300 * time.Millisecond
	// leastStep is the distance that counts as driven, m, above that jitter.
	leastStep = 0.03
	// mostBeliefs bounds the beliefs that wait until the transforms carry them.
	mostBeliefs = 256
)

// track makes poses of transforms and of the rare beliefs of a localisation: poses with
// covariance that it publishes only after the robot has moved. The covariance of a pose is
// that of the newest belief B whose correction the transforms carry at its stamp, with
//
//	P = J·P_B·Jᵀ + diag(k·d, k·d, 0)²      J = ∂pose/∂B, the robot displaced by Δ since B
//
// d metres of driving after B's stamp; k is stdDevPerMetre. The uncertain heading of B thus
// swings the displacement Δ about B.
//
// A localisation may stamp its transform ahead (AMCL by 1 s), so that transforms at the
// robot's time interpolate corrections of that long ago. Beliefs take effect with the same
// delay, which is how far the localisation's newest stamp is ahead of the odometry's.
type track struct {
	target  string        // frame of the poses
	base    string        // frame of the robot
	period  time.Duration // least time between two poses
	buffer  *tf.Buffer
	beliefs []stage // by stamp; the first is in effect
	last    int64   // stamp of the newest pose, ns; 0: none
	anchor  r3.Vec  // place of the robot, by odometry, up to which driving is counted, m
	driven  float64 // m
	marks   []mark  // driven over the last tf.CacheTime
}

// stage is a belief with the metres driven by then.
type stage struct {
	localization.Pose
	driven float64
}

type mark struct {
	stamp  int64
	driven float64
}

// newTrack returns the track of a base frame in a target frame over the transforms in a buffer, which the caller fills.
func newTrack(target, base string, buffer *tf.Buffer) *track {
	return &track{target: target, base: base, period: posePeriod, buffer: buffer}
}

// clear forgets poses after the clock was set back. The newest belief stays in effect until
// there is another: a localisation publishes no new one while the robot stands.
func (k *track) clear() {
	beliefs := k.beliefs[max(len(k.beliefs)-1, 0):]
	*k = track{target: k.target, base: k.base, period: k.period, buffer: k.buffer, beliefs: beliefs}
	for i := range beliefs {
		beliefs[i].driven = 0
	}
}

// believes reports whether there is a belief.
func (k *track) believes() bool { return len(k.beliefs) > 0 }

// addBelief adds a pose with a covariance that has passed a Checker. One that is not
// newer than the last replaces it: the localisation was restarted, or repeats it.
func (k *track) addBelief(p localization.Pose) {
	for n := len(k.beliefs); n > 0 && k.beliefs[n-1].Stamp >= p.Stamp; n-- {
		k.beliefs = k.beliefs[:n-1]
	}
	k.beliefs = append(k.beliefs, stage{p, k.drivenBy(p.Stamp)})
	if n := len(k.beliefs); n > mostBeliefs {
		k.beliefs = append(k.beliefs[:0], k.beliefs[n-mostBeliefs:]...)
	}
}

// drivenBy returns the metres driven up to a stamp, all if the stamp is newer than every
// pose, and those of the oldest pose known if it is older.
func (k *track) drivenBy(stamp int64) float64 {
	for i := len(k.marks) - 1; i >= 0; i-- {
		if k.marks[i].stamp <= stamp {
			return k.marks[i].driven
		}
	}
	if len(k.marks) > 0 {
		return k.marks[0].driven
	}
	return k.driven
}

// next returns the newest pose if one is due. The error says what is missing.
func (k *track) next() (at located, due bool, err error) {
	chain, err := k.buffer.Chain(k.target, k.base)
	if err != nil {
		return at, false, err
	}
	stamp, ok := k.buffer.Newest(chain)
	if !ok || !k.believes() || stamp-k.last < int64(k.period) && stamp >= k.last {
		return at, false, nil
	}
	mapFromBase, ok := k.buffer.At(chain, stamp)
	if !ok { // a link begins later than another ends
		return at, false, nil
	}
	if stamp < k.last { // time was set back, or a link fell behind
		k.last, k.marks = 0, nil
	}
	at.Pose = localization.Pose{Stamp: stamp, X: mapFromBase.Translation.X, Y: mapFromBase.Translation.Y, Yaw: mapFromBase.Yaw()}
	k.drive(&at, chain, mapFromBase)
	k.spread(&at.Pose, chain)
	k.last = stamp
	return at, true, nil
}

// drive measures speed and distance in the frame below the map.
func (k *track) drive(at *located, chain []string, mapFromBase tf.Transform) {
	n := len(chain)
	at.Continuous = n > 2 // map → odom → base
	here := mapFromBase.Translation
	if at.Continuous {
		odometry := chain[:n-1]
		odomFromBase, _ := k.buffer.At(odometry, at.Stamp) // as the whole chain was found
		here = odomFromBase.Translation
		if before, ok := k.buffer.At(odometry, at.Stamp-int64(speedTime)); ok {
			at.Speed = horizontal(here, before.Translation) / speedTime.Seconds()
		}
	}
	switch d := horizontal(here, k.anchor); {
	case k.last == 0:
		k.anchor = here
	case d >= leastStep:
		k.anchor = here
		k.driven += d
		at.Metres = d
	}
	for len(k.marks) > 0 && at.Stamp-k.marks[0].stamp > int64(tf.CacheTime) {
		k.marks = k.marks[1:]
	}
	k.marks = append(k.marks, mark{at.Stamp, k.driven})
}

// spread sets the covariance of a pose.
func (k *track) spread(p *localization.Pose, chain []string) {
	lead := int64(0)
	if top := k.buffer.Links[chain[len(chain)-2]]; !top.Static {
		lead = top.Newest() - p.Stamp // not negative, since p has the oldest of the newest stamps
	}
	for len(k.beliefs) > 1 && k.beliefs[1].Stamp <= p.Stamp-lead {
		k.beliefs = k.beliefs[1:]
	}
	b := &k.beliefs[0]
	dx, dy := p.X-b.X, p.Y-b.Y
	c := &b.Cov
	// The rows of J·P_B for J = [1 0 −dy; 0 1 dx; 0 0 1].
	x := [3]float64{c[0][0] - dy*c[2][0], c[0][1] - dy*c[2][1], c[0][2] - dy*c[2][2]}
	y := [3]float64{c[1][0] + dx*c[2][0], c[1][1] + dx*c[2][1], c[1][2] + dx*c[2][2]}
	grown := stdDevPerMetre * (k.driven - b.driven)
	p.Cov = [3][3]float64{
		{x[0] - dy*x[2] + grown*grown, x[1] + dx*x[2], x[2]},
		{x[1] + dx*x[2], y[1] + dx*y[2] + grown*grown, y[2]},
		{x[2], y[2], c[2][2]},
	}
}

func horizontal(a, b r3.Vec) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
