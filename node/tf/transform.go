// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package tf

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/geometry_msgs"
)

// Transform is the transform parentFromChild: a point p of the child frame is at
// Rotation·p + Translation in the parent frame. Translation is in metres, Rotation a unit
// quaternion.
type Transform struct {
	Translation r3.Vec
	Rotation    quat.Number
}

// identity is the transform between two frames that coincide.
var identity = Transform{Rotation: quat.Number{Real: 1}}

// normTolerance is the largest accepted difference of a quaternion's norm from one, that of
// package convert. A larger one means that the quaternion was never normalised or filled in.
const normTolerance = 1e-2

// fromMessage converts a message. Numbers that are not finite and quaternions that are not
// of unit length are an error.
func fromMessage(m *geometry_msgs.Transform) (Transform, error) {
	t, q := m.Translation, m.Rotation
	if !num.Finite(t.X) || !num.Finite(t.Y) || !num.Finite(t.Z) {
		return Transform{}, fmt.Errorf("translation (%g, %g, %g) m is not finite", t.X, t.Y, t.Z)
	}
	r := quat.Number{Real: q.W, Imag: q.X, Jmag: q.Y, Kmag: q.Z}
	norm := quat.Abs(r)
	if !(math.Abs(norm-1) <= normTolerance) {
		return Transform{}, fmt.Errorf("rotation (%g, %g, %g, %g) has length %g, want 1 within %g", q.X, q.Y, q.Z, q.W, norm, normTolerance)
	}
	return Transform{Translation: r3.Vec(t), Rotation: quat.Scale(1/norm, r)}, nil
}

// times returns t·u: aFromC of t = aFromB and u = bFromC.
func (t Transform) times(u Transform) Transform {
	return Transform{
		Translation: r3.Add(t.Translation, r3.Rotation(t.Rotation).Rotate(u.Translation)),
		Rotation:    quat.Mul(t.Rotation, u.Rotation),
	}
}

// Yaw returns the rotation about the vertical axis, rad, in (−π, π].
func (t Transform) Yaw() float64 {
	q := t.Rotation
	return math.Atan2(2*(q.Real*q.Kmag+q.Imag*q.Jmag), 1-2*(q.Jmag*q.Jmag+q.Kmag*q.Kmag))
}

// interpolate returns the transform at the share a, from 0 to 1, of the time from t to u:
// translation linearly, rotation along the shorter arc at a constant rate (Shoemake,
// Animating rotation with quaternion curves, 1985).
func interpolate(t, u Transform, a float64) Transform {
	turn := quat.Mul(quat.Conj(t.Rotation), u.Rotation)
	if turn.Real < 0 { // q and −q are the same rotation
		turn = quat.Scale(-1, turn)
	}
	return Transform{
		Translation: r3.Add(r3.Scale(1-a, t.Translation), r3.Scale(a, u.Translation)),
		Rotation:    quat.Mul(t.Rotation, quat.PowReal(turn, a)),
	}
}
