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

// receiver converts the positions of a satellite receiver to the map: x to the east and
// y to the north of the datum. The altitude is ignored.
type receiver struct {
	datum *earth.Datum // nil: the first usable fix becomes the datum
	noFix uint64       // messages of a receiver without a fix
}

// fix converts a message to a fix in the map, whose covariance is not checked yet. first
// says that the fix is the datum if it can be used. The receiver's east and north are
// those of the datum: 5 km away they are turned by a milliradian, which does not matter
// for a covariance.
func (r *receiver) fix(m *sensor_msgs.NavSatFix) (fix filter.Fix, first *earth.Datum, err error) {
	lon, lat, cov, err := convert.SatellitePosition(m)
	if err != nil {
		return fix, nil, err
	}
	fix.Cov = cov
	datum := r.datum
	if datum == nil {
		first = &earth.Datum{Lon: lon, Lat: lat}
		if err := first.Validate(); err != nil {
			return fix, nil, err
		}
		datum = first
	}
	fix.X, fix.Y, err = datum.Plane(lon, lat)
	return fix, first, err
}

func (e *EKF) onNavSatFix(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
	stamp, stray := e.taken(&e.satellites, m.Header.Stamp)
	fix, first, err := e.receiver.fix(m)
	fix.Stamp = stamp
	if errors.Is(err, convert.ErrNoFix) { // normal after switching on: the watch reports it
		e.receiver.noFix++
		e.satellites.Refused(err)
		return
	}
	if err == nil {
		err = stray
	}
	if e.fusePosition(&e.satellites, fix, err) && first != nil {
		e.setDatum(*first)
		e.node.Logger().Warn(fmt.Sprintf("the first fix is the origin of %s (datum), which therefore changes with each start; set datum for a fixed origin, or for a field in degrees", e.cfg.MapFrame),
			"longitude_deg", fmt.Sprintf("%.7f", first.Lon), "latitude_deg", fmt.Sprintf("%.7f", first.Lat))
	}
}

// setDatum makes a place the map's origin and publishes it for late subscribers, too.
func (e *EKF) setDatum(d earth.Datum) {
	e.receiver.datum = &d
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
