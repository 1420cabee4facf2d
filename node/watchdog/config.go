package watchdog

import (
	"fmt"

	"ugp_explorer/node/ros/param"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "watchdog"

// Config holds the parameters of the watchdog's node.
type Config struct {
	Timeout  float64 // s without a command after which a moving robot is stopped
	ZeroTime float64 // s for which zeros are repeated then
	Stamped  bool    // both topics are of TwistStamped, which robots expect since ROS 2 Jazzy
}

// DefaultConfig returns the configuration for a follower at its default rate of 20 Hz.
func DefaultConfig() Config { return Config{Timeout: 0.5, ZeroTime: 2} }

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.Float64(&c.Timeout, "timeout", param.Unit("s"), param.Range(0.05, 60), param.Live(),
		param.Describe("time without a command on cmd_vel_in after which a robot that was told to move is stopped; in simulated time also 0.2 s of wall time without one"))
	set.Float64(&c.ZeroTime, "zero_time", param.Unit("s"), param.Range(0.1, 3600), param.Live(),
		param.Describe("time for which zero velocities are repeated on cmd_vel to stop the robot"))
	set.Bool(&c.Stamped, "cmd_vel_stamped",
		param.Describe("cmd_vel_in and cmd_vel are of TwistStamped, which robots expect since ROS 2 Jazzy; false: Twist"))
	return set
}

// Validate returns an error that names the parameters out of their ranges.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("watchdog: %w", err)
	}
	return nil
}
