// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// kind is a message type that can carry a reading.
type kind struct {
	typ            string // of ROS, "std_msgs/msg/Float64"
	statesVariance bool
	subscribe      func(n *ros.Node, topic string, on func(localization.Reading, ros.MessageInfo)) (*ros.Subscription, error)
}

// kinds holds the message types by their names.
var kinds = map[string]kind{
	"FieldReading": kindOf(true, func(m *ugp_explorer_msgs.FieldReading) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.Value, Variance: m.Variance}
	}),
	"Float64": kindOf(false, func(m *std_msgs.Float64) localization.Reading {
		return localization.Reading{Value: m.Data}
	}),
	"Float32": kindOf(false, func(m *std_msgs.Float32) localization.Reading {
		return localization.Reading{Value: float64(m.Data)}
	}),
	"Temperature": kindOf(true, func(m *sensor_msgs.Temperature) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.Temperature, Variance: m.Variance}
	}),
	"RelativeHumidity": kindOf(true, func(m *sensor_msgs.RelativeHumidity) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.RelativeHumidity, Variance: m.Variance}
	}),
	"FluidPressure": kindOf(true, func(m *sensor_msgs.FluidPressure) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.FluidPressure, Variance: m.Variance}
	}),
	"Illuminance": kindOf(true, func(m *sensor_msgs.Illuminance) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.Illuminance, Variance: m.Variance}
	}),
}

// limits holds what the definition of a type allows its value to be. Other types allow any number.
var limits = map[string][2]float64{
	"Temperature":      {-273.15, localization.Huge}, // °C
	"RelativeHumidity": {0, 1},
	"FluidPressure":    {0, localization.Huge}, // Pa
	"Illuminance":      {0, localization.Huge}, // lx
}

// ReadingLimits returns the smallest and the largest value that a message of the type with a name can have.
func ReadingLimits(name string) (least, most float64) {
	if l, ok := limits[name]; ok {
		return l[0], l[1]
	}
	return -localization.Huge, localization.Huge
}

// within returns an error for a value outside the limits, such as failed sensors send: 85, -127, 65535, NaN; and for a variance that
// is none, such as -1, with which some drivers mean that they do not know it.
func (c *Readings) within(value, variance float64) error {
	switch {
	case !localization.Usable(0, variance):
		return fmt.Errorf("its variance is %g, want a finite number above 0, or 0 if the sensor states none", variance)
	case !num.Finite(value):
		return errNotFinite
	case value < c.Least:
		return fmt.Errorf("its value is %g, and readings below %g (%s) are refused", value, c.Least, c.LeastBy)
	case value > c.Most:
		return fmt.Errorf("its value is %g, and readings above %g (%s) are refused", value, c.Most, c.MostBy)
	}
	return nil
}

// ReadingName returns the name of a ROS message type. ok is false when messages of that type cannot
// be readings.
func ReadingName(typ string) (name string, ok bool) {
	for name, k := range kinds {
		if k.typ == typ {
			return name, true
		}
	}
	return "", false
}

// ReadingType returns the ROS type of the readings with a name.
func ReadingType(name string) string { return kinds[name].typ }

// ReadingTypes returns the ROS types that ReadingName knows, sorted.
func ReadingTypes() []string {
	var types []string
	for _, k := range kinds {
		types = append(types, k.typ)
	}
	slices.Sort(types)
	return types
}

// dated gives a reading without a stamp the time of its measurement: delay seconds before it was
// received, ns.
func dated(r localization.Reading, received int64, delay float64) localization.Reading {
	if r.Stamp == 0 {
		r.Stamp = received - int64(delay*float64(time.Second))
	}
	return r
}

// ReadingNames returns the names of all types, sorted.
func ReadingNames() []string { return slices.Sorted(maps.Keys(kinds)) }

// StatesVariance reports whether messages of the type with a name state the variance of
// their value.
func StatesVariance(name string) bool { return kinds[name].statesVariance }

// kindOf returns the kind of a message type whose messages read reads.
func kindOf[M any, PM ros.MessagePtr[M]](statesVariance bool, read func(*M) localization.Reading) kind {
	return kind{
		typ: PM(new(M)).TypeName(), statesVariance: statesVariance,
		subscribe: func(n *ros.Node, topic string, on func(localization.Reading, ros.MessageInfo)) (*ros.Subscription, error) {
			return ros.Subscribe[M, PM](n, topic, ros.SensorStream(), func(m *M, info ros.MessageInfo) { on(read(m), info) })
		},
	}
}
