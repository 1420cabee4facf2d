// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// publish publishes a reading of the probe with its stamp, ns.
type publish func(stamp int64, value, variance float64) error

// readings has, by the names of the message types that readings can have, what advertises a topic of them.
var readings = map[string]func(node *ros.Node, topic string) (publish, error){
	"FieldReading": advertise(func(h std_msgs.Header, value, variance float64) ugp_explorer_msgs.FieldReading {
		return ugp_explorer_msgs.FieldReading{Header: h, Value: value, Variance: variance}
	}),
	"Float64": advertise(func(_ std_msgs.Header, value, _ float64) std_msgs.Float64 { return std_msgs.Float64{Data: value} }),
	"Float32": advertise(func(_ std_msgs.Header, value, _ float64) std_msgs.Float32 {
		return std_msgs.Float32{Data: float32(value)}
	}),
	"Temperature": advertise(func(h std_msgs.Header, value, variance float64) sensor_msgs.Temperature {
		return sensor_msgs.Temperature{Header: h, Temperature: value, Variance: variance}
	}),
	"RelativeHumidity": advertise(func(h std_msgs.Header, value, variance float64) sensor_msgs.RelativeHumidity {
		return sensor_msgs.RelativeHumidity{Header: h, RelativeHumidity: value, Variance: variance}
	}),
	"FluidPressure": advertise(func(h std_msgs.Header, value, variance float64) sensor_msgs.FluidPressure {
		return sensor_msgs.FluidPressure{Header: h, FluidPressure: value, Variance: variance}
	}),
	"Illuminance": advertise(func(h std_msgs.Header, value, variance float64) sensor_msgs.Illuminance {
		return sensor_msgs.Illuminance{Header: h, Illuminance: value, Variance: variance}
	}),
}

func advertise[M any, PM ros.MessagePtr[M]](message func(h std_msgs.Header, value, variance float64) M) func(node *ros.Node, topic string) (publish, error) {
	return func(node *ros.Node, topic string) (publish, error) {
		readings, err := ros.Advertise[M, PM](node, topic, ros.SensorData())
		return func(stamp int64, value, variance float64) error {
			m := message(std_msgs.Header{Stamp: node.StampOf(stamp), FrameID: frameProbe}, value, variance)
			return readings.Publish(&m)
		}, err
	}
}
