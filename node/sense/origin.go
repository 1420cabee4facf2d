package sense

import (
	"context"
	"errors"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
)

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
	if _, failed := ros.Subscribe(part, "ekf/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
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
