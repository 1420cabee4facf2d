package explorer

import (
	"fmt"
	"math"
	"slices"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
)

// readingKind is a message type that can carry a reading.
type readingKind struct {
	typ            string // of ROS, "std_msgs/msg/Float64"
	statesVariance bool
	subscribe      func(*sampler) (*ros.Subscription, error)
	decode         func(cdr []byte) (localization.Reading, error)
}

// readingKinds holds the message types by their names in the parameter reading.type.
var readingKinds = map[string]readingKind{
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

// ReadingType returns the value of the parameter reading.type for a ROS message type. ok is
// false when messages of that type cannot be readings.
func ReadingType(typ string) (name string, ok bool) {
	for name, k := range readingKinds {
		if k.typ == typ {
			return name, true
		}
	}
	return "", false
}

// ReadingTypes returns the ROS types that ReadingType knows, sorted.
func ReadingTypes() []string {
	var types []string
	for _, k := range readingKinds {
		types = append(types, k.typ)
	}
	slices.Sort(types)
	return types
}

// DecodeReading decodes a message of a ROS type that ReadingType knows, as the explorer
// does. PlaceReading then completes its stamp.
func DecodeReading(typ string, cdr []byte) (localization.Reading, error) {
	name, ok := ReadingType(typ)
	if !ok {
		return localization.Reading{}, fmt.Errorf("explorer: %s is no type of a reading", typ)
	}
	return readingKinds[name].decode(cdr)
}

// PlaceReading gives a reading without a stamp the one of its measurement: delay seconds
// (reading.delay) before it was received, ns.
func PlaceReading(r localization.Reading, received int64, delay float64) localization.Reading {
	if r.Stamp == 0 {
		r.Stamp = received - int64(seconds(delay))
	}
	return r
}

func readingTypes() []string {
	var types []string
	for name := range readingKinds {
		types = append(types, name)
	}
	slices.Sort(types)
	return types
}

// kindOf returns the functions that subscribe to the topic reading and decode its messages,
// for one message type.
func kindOf[M any, PM ros.MessagePtr[M]](statesVariance bool, read func(*M) localization.Reading) readingKind {
	return readingKind{
		typ: PM(new(M)).TypeName(), statesVariance: statesVariance,
		subscribe: func(s *sampler) (*ros.Subscription, error) {
			return ros.Subscribe[M, PM](s.node, "reading", ros.SensorData(), func(m *M, info ros.MessageInfo) {
				r := read(m)
				if r.Stamp != 0 {
					s.readings.Stamped(r.Stamp)
				}
				s.onReading(PlaceReading(r, info.Received, s.cfg.Reading.Delay))
			})
		},
		decode: func(cdr []byte) (localization.Reading, error) {
			m := PM(new(M))
			if err := m.UnmarshalCDR(cdr); err != nil {
				return localization.Reading{}, err
			}
			return read((*M)(m)), nil
		},
	}
}

// toModel returns a reading's value and variance in model units, by the delta
// method. A value without a logarithm is an error if the transform takes one.
func toModel(t record.Transform, value, variance float64) (v, s2 float64, err error) {
	var slope float64
	switch t {
	case record.TransformLog10:
		v, slope = math.Log10(value), 1/(value*math.Ln10)
	case record.TransformLn:
		v, slope = math.Log(value), 1/value
	default:
		return value, variance, nil
	}
	if !(value > 0) {
		return 0, 0, fmt.Errorf("the value %g has no logarithm (reading.transform is %s): it must be above 0", value, t)
	}
	return v, slope * slope * variance, nil
}
