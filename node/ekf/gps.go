// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/earth"
)

// onNavSatFix takes a position of a satellite receiver: x to the east and y to the north of the origin, which is the first usable fix unless the
// parameter datum has it. The altitude is ignored. The receiver's east and north are those of the origin: 5 km away they are turned by a
// milliradian, which does not matter for a covariance.
func (e *EKF) onNavSatFix(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
	stamp, stray := e.taken(&e.satellites, m.Header.Stamp)
	lon, lat, cov, err := convert.SatellitePosition(m)
	if errors.Is(err, convert.ErrNoFix) { // normal after switching on: the watch reports it
		e.noFix++
		e.satellites.Refused(err)
		return
	}
	origin, fix := e.origin, filter.Fix{Stamp: stamp, Cov: cov}
	if origin == nil {
		origin = &earth.Datum{Lon: lon, Lat: lat}
	}
	if err == nil {
		err = origin.Validate()
	}
	if err == nil {
		fix.X, fix.Y, err = origin.Plane(lon, lat)
	}
	if err == nil {
		err = stray
	}
	if e.fusePosition(&e.satellites, fix, err) && e.origin == nil {
		e.setDatum(*origin)
		e.node.Logger().Warn(fmt.Sprintf("the first fix is the origin of %s (datum), which therefore changes with each start; set datum for a fixed origin, or for a field in degrees", e.cfg.MapFrame),
			"longitude_deg", fmt.Sprintf("%.7f", lon), "latitude_deg", fmt.Sprintf("%.7f", lat))
	}
}

// setDatum makes a place the map's origin and publishes it for late subscribers, too.
func (e *EKF) setDatum(d earth.Datum) {
	e.origin = &d
	var m sensor_msgs.NavSatFix
	m.Header.Stamp, m.Header.FrameID = e.node.Stamp(), e.cfg.MapFrame
	convert.NavSatFix(&m, d.Lon, d.Lat, [2][2]float64{}, sensor_msgs.NavSatStatusStatusFix)
	e.report(e.datum.Publish(&m))
}

// fusePosition checks the covariance of a fix, hands it to the filter, and returns whether
// it could be used. An error says why it cannot.
func (e *EKF) fusePosition(from *source, fix filter.Fix, err error) bool {
	if err == nil {
		err = e.byParameter(e.fixes.CheckPosition(&fix.Cov))
	}
	var innovation filter.Innovation
	stamp := fix.Stamp
	if err == nil {
		fix.Stamp += int64(from.lag.by())
		innovation, err = e.filter.FusePosition(fix)
	}
	if err != nil {
		from.Refused(err)
		e.fix.Warn("a fix is not used", "error", err.Error())
		return false
	}
	place := complex(fix.X, fix.Y)
	stdDev := math.Sqrt(max(fix.Cov[0][0], fix.Cov[1][1]))
	e.hearLag(from, stamp, place)
	e.hearWheels(fix.Stamp, place, stdDev)
	e.inertial.mounting.gyroscope.Fix(place, stdDev)
	e.fused(innovation)
	return true
}

// byParameter adds to the error about a refused covariance the parameter that decides about it.
func (e *EKF) byParameter(err error) error {
	var bad *localization.CovarianceError
	if !errors.As(err, &bad) {
		return err
	}
	switch bad.Kind {
	case localization.ZeroCovariance:
		return errors.New("its covariance is all zeros, NaN or of unknown type; to use it, set covariance.zero_stddev to the true standard deviation of a fix in metres")
	case localization.TooLarge:
		return fmt.Errorf("%w; covariance.max_stddev is %g m", err, e.cfg.Covariance.MaxPositionStdDev)
	}
	return fmt.Errorf("%w; its sender must state variances and covariances in m²", err)
}
