// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/sensor_msgs"
)

// ErrNoFix is returned for a NavSatFix of a receiver that has no position.
var ErrNoFix = errors.New("the receiver has no fix")

// NavSatFix writes a position on WGS 84 in degrees, the covariance (m²) of its east and
// north, and one of the constants NavSatStatusStatus. The altitude stays unknown.
func NavSatFix(dst *sensor_msgs.NavSatFix, lon, lat float64, cov [2][2]float64, status int8) {
	dst.Status.Status, dst.Status.Service = status, sensor_msgs.NavSatStatusServiceGps
	dst.Longitude, dst.Latitude, dst.Altitude = lon, lat, math.NaN()
	dst.PositionCovariance = [9]float64{cov[0][0], cov[0][1], 0, cov[1][0], cov[1][1], 0}
	dst.PositionCovarianceType = sensor_msgs.NavSatFixCovarianceTypeKnown
}

// SatellitePosition is the inverse of NavSatFix. cov is zero if the message states none:
// its covariance has the type unknown, whatever the numbers, since drivers then leave
// zeros, -1 or anything there. With the type diagonal_known only the variances are used.
//
// The error wraps ErrNoFix for the status no_fix, and for a receiver that has no position
// but does not say so: longitude and latitude are not finite, or both exactly zero. A
// status that is unknown does not matter, since Gazebo and many drivers never set it.
func SatellitePosition(m *sensor_msgs.NavSatFix) (lon, lat float64, cov [2][2]float64, err error) {
	lon, lat = m.Longitude, m.Latitude
	switch {
	case m.Status.Status == sensor_msgs.NavSatStatusStatusNoFix:
		return 0, 0, cov, fmt.Errorf("%w: its status is %d", ErrNoFix, m.Status.Status)
	case !num.Finite(lon) || !num.Finite(lat):
		return 0, 0, cov, fmt.Errorf("%w: longitude and latitude are %g, %g", ErrNoFix, lon, lat)
	case lon == 0 && lat == 0:
		return 0, 0, cov, fmt.Errorf("%w: longitude and latitude are both exactly 0", ErrNoFix)
	}
	c := &m.PositionCovariance
	switch m.PositionCovarianceType {
	case sensor_msgs.NavSatFixCovarianceTypeDiagonalKnown:
		cov = [2][2]float64{{c[0], 0}, {0, c[4]}}
	case sensor_msgs.NavSatFixCovarianceTypeApproximated, sensor_msgs.NavSatFixCovarianceTypeKnown:
		cov = [2][2]float64{{c[0], c[1]}, {c[3], c[4]}}
	}
	return lon, lat, cov, nil
}
