// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/earth"
)

// originTopic is the topic on which this package's filter publishes the origin of its map.
const originTopic = "ekf/datum"

// originPatience is the wall time in which the filter's datum is awaited: one that is a parameter of the filter
// comes as soon as the nodes have found each other.
const originPatience = 10 * time.Second

// WithOrigin opens the field of a node that starts. If that fails because the field is in degrees and datum, the parameter
// for it, is empty, WithOrigin runs the node's executor until the filter's ekf/datum has come, sets datum to it, and opens
// the field again. If the datum does not come in time, the error is the first one.
func WithOrigin(node *ros.Node, datum *[]float64, open func() error) error {
	err := open()
	if missing := new(earth.DegreesError); len(*datum) > 0 || !errors.As(err, &missing) {
		return err
	}
	part := node.Part()
	defer part.Close() // only a subscription
	if _, failed := ros.Subscribe(part, originTopic, ros.Latched(), func(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
		*datum = []float64{m.Longitude, m.Latitude}
	}); failed != nil {
		return errors.Join(err, failed)
	}
	node.Logger().Info("the field is in degrees and field.datum is empty: waiting for the filter's datum on ekf/datum", "for_s", originPatience.Seconds())
	late := false
	timer := time.AfterFunc(originPatience, func() { node.Executor().Post(func() { late = true }) })
	defer timer.Stop()
	_ = node.Executor().Run(context.Background(), func() bool { return late || len(*datum) > 0 }) // the error says what is missing
	if len(*datum) == 0 {
		return err
	}
	node.Logger().Info("the filter's datum is used", "lon_lat", fmt.Sprintf("%.7f, %.7f", (*datum)[0], (*datum)[1]))
	return open()
}

// sameOrigin is the distance up to which two origins are the same, m: it is that of rounded degrees.
const sameOrigin = 0.01

// onOrigin receives the datum of the filter's map. If it differs from the field's datum, as when a filter without a datum is restarted and
// takes another first fix, the field is elsewhere on that map.
func (s *Sense) onOrigin(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
	s.elsewhere = nil
	own := s.cfg.Datum
	if x, y, err := own.Plane(m.Longitude, m.Latitude); err != nil || math.Hypot(x, y) > sameOrigin {
		s.elsewhere = fmt.Errorf("the origin of the filter's map is at %.7f, %.7f (longitude, latitude), and that of the field's at %.7f, %.7f: start both with the same datum", m.Longitude, m.Latitude, own.Lon, own.Lat)
	}
}
