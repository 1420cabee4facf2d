// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
)

// quaternionTolerance is the largest accepted difference of a quaternion's norm from one.
// Drivers send single-precision quaternions, whose norm is off by about 1e-7; with a
// larger difference than this the quaternion was never normalised.
const quaternionTolerance = 1e-2

// Quaternion returns the rotation by yaw about the vertical axis.
func Quaternion(yaw float64) geometry_msgs.Quaternion {
	sin, cos := math.Sincos(yaw / 2)
	return geometry_msgs.Quaternion{Z: sin, W: cos}
}

// Yaw is the inverse of Quaternion. For any rotation it returns the rotation about the
// vertical axis, in (−π, π]. A quaternion that is not of unit length is an error; the
// usual one is all zeros, from a message that was not filled in.
func Yaw(q geometry_msgs.Quaternion) (float64, error) {
	norm := math.Sqrt(q.X*q.X + q.Y*q.Y + q.Z*q.Z + q.W*q.W)
	if !(math.Abs(norm-1) <= quaternionTolerance) {
		return 0, fmt.Errorf("orientation (%g, %g, %g, %g) has length %g, want 1 within %g",
			q.X, q.Y, q.Z, q.W, norm, quaternionTolerance)
	}
	return math.Atan2(2*(q.W*q.Z+q.X*q.Y), 1-2*(q.Y*q.Y+q.Z*q.Z)), nil
}

// PlanarPose converts a pose with covariance to a planar pose at a stamp in nanoseconds.
// It checks position and orientation only; localization.Checker checks the covariance.
func PlanarPose(stamp int64, p *geometry_msgs.PoseWithCovariance) (localization.Pose, error) {
	position := &p.Pose.Position
	if !num.Finite(position.X) || !num.Finite(position.Y) {
		return localization.Pose{}, fmt.Errorf("position (%g, %g) m is not finite", position.X, position.Y)
	}
	yaw, err := Yaw(p.Pose.Orientation)
	if err != nil {
		return localization.Pose{}, err
	}
	return localization.Pose{
		Stamp: stamp,
		X:     position.X,
		Y:     position.Y,
		Yaw:   yaw,
		Cov:   localization.PlanarCovariance(&p.Covariance),
	}, nil
}

// PoseWithCovariance is the inverse of PlanarPose. The rows of z, roll and pitch, which a
// planar pose does not have, are zero.
func PoseWithCovariance(dst *geometry_msgs.PoseWithCovariance, p localization.Pose) {
	dst.Pose.Position = geometry_msgs.Point{X: p.X, Y: p.Y}
	dst.Pose.Orientation = Quaternion(p.Yaw)
	dst.Covariance = [36]float64{}
	localization.ExpandCovariance(&dst.Covariance, &p.Cov)
}

// BeliefWithCovariance writes a planar belief, which has no heading, as a pose
// with covariance whose orientation is the identity.
func BeliefWithCovariance(dst *geometry_msgs.PoseWithCovariance, b localization.Belief) {
	PoseWithCovariance(dst, localization.Pose{
		X: b.X, Y: b.Y,
		Cov: [3][3]float64{{b.XX, b.XY, 0}, {b.XY, b.YY, 0}, {0, 0, 0}},
	})
}

// Path fills dst with way points, each facing the next one. The caller sets the frame in
// dst.Header.
func Path(dst *nav_msgs.Path, points []orb.Point) {
	dst.Poses = dst.Poses[:0]
	for i, p := range points {
		yaw := 0.0
		switch {
		case i+1 < len(points):
			yaw = math.Atan2(points[i+1][1]-p[1], points[i+1][0]-p[0])
		case i > 0:
			yaw = math.Atan2(p[1]-points[i-1][1], p[0]-points[i-1][0])
		}
		dst.Poses = append(dst.Poses, geometry_msgs.PoseStamped{
			Header: dst.Header,
			Pose: geometry_msgs.Pose{
				Position:    geometry_msgs.Point{X: p[0], Y: p[1]},
				Orientation: Quaternion(yaw),
			},
		})
	}
}

// WayPoints is the inverse of Path.
func WayPoints(dst []orb.Point, p *nav_msgs.Path) []orb.Point {
	dst = dst[:0]
	for i := range p.Poses {
		at := &p.Poses[i].Pose.Position
		dst = append(dst, [2]float64{at.X, at.Y})
	}
	return dst
}
