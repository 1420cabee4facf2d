package sense

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
)

// originTopic is where this package's filter says where its map begins.
const originTopic = "ekf/datum"

// originPatience is the wall time in which the filter's datum is awaited: one that is a parameter of the filter
// comes as soon as the nodes have found each other.
const originPatience = 10 * time.Second

// Origin is for a node that starts with a field in degrees and without a datum, whose error is given: it runs the node's
// executor until the filter's ekf/datum has come, and returns that as a parameter. Where the error is
// another one, or the datum does not come in time, it returns the error.
func Origin(node *ros.Node, err error) (datum []float64, _ error) {
	if missing := new(field.DegreesError); !errors.As(err, &missing) {
		return nil, err
	}
	part := node.Part()
	defer part.Close() // only a subscription
	if _, failed := ros.Subscribe(part, originTopic, ros.Latched(), func(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
		datum = []float64{m.Longitude, m.Latitude}
	}); failed != nil {
		return nil, errors.Join(err, failed)
	}
	node.Logger().Info("the field is in degrees and has no datum of its own: waiting for the filter's, on ekf/datum", "for_s", originPatience.Seconds())
	late := false
	timer := time.AfterFunc(originPatience, func() { node.Executor().Post(func() { late = true }) })
	defer timer.Stop()
	_ = node.Executor().Run(context.Background(), func() bool { return late || datum != nil }) // the error says what is missing
	if datum == nil {
		return nil, err
	}
	node.Logger().Info("the filter's datum is taken", "lon_deg", datum[0], "lat_deg", datum[1])
	return datum, nil
}

// sameOrigin is the distance up to which two origins are the same, m: it is that of rounded degrees.
const sameOrigin = 0.01

// onOrigin hears where the filter's map begins. Where that is not the field's datum, as when a filter without a
// datum is started again and takes another first fix, the field lies elsewhere on that map.
func (s *Sense) onOrigin(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
	s.elsewhere = nil
	own := s.cfg.Datum
	if x, y, err := own.Plane(m.Longitude, m.Latitude); err != nil || math.Hypot(x, y) > sameOrigin {
		s.elsewhere = fmt.Errorf("the filter's map begins at %.7f, %.7f (longitude, latitude) and the field's at %.7f, %.7f: start both with the same datum", m.Longitude, m.Latitude, own.Lon, own.Lat)
	}
}
