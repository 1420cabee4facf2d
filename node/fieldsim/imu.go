package fieldsim

import (
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/sim"
)

// imu is the gyroscope of the simulated robot. A nil imu does nothing.
type imu struct {
	gyro    *sim.Gyro
	out     *ros.Publisher[sensor_msgs.Imu, *sensor_msgs.Imu]
	message sensor_msgs.Imu // for reuse
}

// newIMU returns the gyroscope, or nil if the robot has none.
func newIMU(node *ros.Node, cfg *Config) (*imu, error) {
	if !cfg.PublishIMU {
		return nil, nil
	}
	out, err := ros.Advertise[sensor_msgs.Imu](node, "imu", ros.SensorData())
	if err != nil {
		return nil, err
	}
	i := &imu{gyro: sim.NewGyro(cfg.Gyro, sim.Stream(uint64(cfg.Seed), "gyro")), out: out}
	i.message.Header.FrameID = frameBase
	return i, nil
}

// tick gives the gyroscope the robot's true state at time now, ns, and publishes what it
// measures.
func (i *imu) tick(now int64, state sim.PlantState) error {
	if i == nil {
		return nil
	}
	r, ok := i.gyro.Tick(now, state)
	if !ok {
		return nil
	}
	i.message.Header.Stamp = ros.TimeMsg(r.Stamp)
	convert.YawRate(&i.message, r.Rate, r.Variance)
	return i.out.Publish(&i.message)
}
