// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"errors"
	"slices"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/localization"
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// Each type has a name of its own, by which it is found.
func TestNamesAndTypes(t *testing.T) {
	types, names := ReadingTypes(), ReadingNames()
	if len(types) != len(names) || len(types) < 7 {
		t.Fatalf("types %v, names %v", types, names)
	}
	var found []string
	for _, typ := range types {
		name, ok := ReadingName(typ)
		if !ok {
			t.Errorf("%s has no name", typ)
		}
		found = append(found, name)
	}
	slices.Sort(found)
	if !slices.Equal(found, names) {
		t.Errorf("the types have the names %v, want %v", found, names)
	}
	if name, ok := ReadingName("std_msgs/msg/String"); ok {
		t.Errorf("a text is a reading, %q", name)
	}
}

// Each message is a reading, of the time when it was measured.
func TestReadings(t *testing.T) {
	field := &ugp_explorer_msgs.FieldReading{Value: 2.5, Variance: 0.25}
	field.Header.Stamp.Sec = 3
	header := field.Header
	for _, c := range []struct {
		message cdr.Message
		want    localization.Reading
	}{
		{field, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.Temperature{Header: header, Temperature: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.RelativeHumidity{Header: header, RelativeHumidity: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.FluidPressure{Header: header, FluidPressure: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&sensor_msgs.Illuminance{Header: header, Illuminance: 2.5, Variance: 0.25}, localization.Reading{Stamp: 3e9, Value: 2.5, Variance: 0.25}},
		{&std_msgs.Float32{Data: 7}, localization.Reading{Stamp: 8.5e9, Value: 7}},
		{&std_msgs.Float64{Data: 7}, localization.Reading{Stamp: 8.5e9, Value: 7}},
	} {
		ex, node := rostest.Simulated(t, "probe", ros.NodeOptions{})
		name, _ := ReadingName(c.message.TypeName())
		var got localization.Reading
		_, err := kinds[name].subscribe(node, "reading", func(r localization.Reading, _ ros.MessageInfo) { got = dated(r, 10e9, 1.5) })
		pub, failed := ros.AdvertiseRaw(node, "reading", c.message.TypeName(), msgs.TypeHash(c.message.TypeName()), ros.SensorStream())
		must.OK(t, errors.Join(err, failed, pub.Publish(c.message.AppendCDR(nil), 10e9)))
		must.OK(t, ex.RunTo(t.Context(), 1e9))
		if got != c.want {
			t.Errorf("%s is %+v, want %+v", c.message.TypeName(), got, c.want)
		}
	}
}
