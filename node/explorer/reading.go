package explorer

import (
	"fmt"
	"math"
	"slices"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/report"
	"ugp_explorer/node/ros"
)

// readingKind is a message type that may carry a reading.
type readingKind struct {
	statesVariance bool
	subscribe      func(*Explorer) (*ros.Subscription, error)
}

// readingKinds are the types that the parameter reading.type may name.
var readingKinds = map[string]readingKind{
	"FieldReading": {true, subscribe(func(m *ugp_explorer_msgs.FieldReading) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.Value, Variance: m.Variance}
	})},
	"Float64": {false, subscribe(func(m *std_msgs.Float64) localization.Reading {
		return localization.Reading{Value: m.Data}
	})},
	"Float32": {false, subscribe(func(m *std_msgs.Float32) localization.Reading {
		return localization.Reading{Value: float64(m.Data)}
	})},
	"Temperature": {true, subscribe(func(m *sensor_msgs.Temperature) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.Temperature, Variance: m.Variance}
	})},
	"RelativeHumidity": {true, subscribe(func(m *sensor_msgs.RelativeHumidity) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.RelativeHumidity, Variance: m.Variance}
	})},
	"FluidPressure": {true, subscribe(func(m *sensor_msgs.FluidPressure) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.FluidPressure, Variance: m.Variance}
	})},
	"Illuminance": {true, subscribe(func(m *sensor_msgs.Illuminance) localization.Reading {
		return localization.Reading{Stamp: ros.TimeNs(m.Header.Stamp), Value: m.Illuminance, Variance: m.Variance}
	})},
}

func readingTypes() []string {
	var types []string
	for name := range readingKinds {
		types = append(types, name)
	}
	slices.Sort(types)
	return types
}

// subscribe returns what opens the topic reading for a message type. A reading
// with a stamp of zero has none: it was made reading.delay before it came.
func subscribe[M any, PM ros.MessagePtr[M]](read func(*M) localization.Reading) func(*Explorer) (*ros.Subscription, error) {
	return func(e *Explorer) (*ros.Subscription, error) {
		return ros.Subscribe[M, PM](e.node, "reading", ros.SensorData(), func(m *M, info ros.MessageInfo) {
			r := read(m)
			if r.Stamp == 0 {
				r.Stamp = info.Received - int64(seconds(e.cfg.Reading.Delay))
			} else {
				e.readings.Stamped(r.Stamp)
			}
			e.onReading(r)
		})
	}
}

// toModel returns a reading's value and variance in model units, by the delta
// method. A value that the transform has no image of is an error.
func toModel(t report.Transform, value, variance float64) (v, s2 float64, err error) {
	var slope float64
	switch t {
	case report.TransformLog10:
		v, slope = math.Log10(value), 1/(value*math.Ln10)
	case report.TransformLn:
		v, slope = math.Log(value), 1/value
	default:
		return value, variance, nil
	}
	if !(value > 0) {
		return 0, 0, fmt.Errorf("the value %g has no logarithm (reading.transform is %s): it must be above 0", value, t)
	}
	return v, slope * slope * variance, nil
}
