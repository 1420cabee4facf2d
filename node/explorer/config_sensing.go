package explorer

import (
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/node/sense"
)

// covariance returns the rules for the covariances of poses. Before the field is known, an
// limit of the position is that of a spacious field.
func (c *Config) covariance() localization.CovarianceConfig {
	rules := c.Covariance
	if math.IsNaN(rules.MaxPositionStdDev) {
		rules.MaxPositionStdDev = mostUncertain
	}
	return rules
}

// gapShare is the longest time between two poses across which the pose of a reading is interpolated,
// relative to pose.timeout: a robot that drives on for so long without a pose does not drive straight
// ahead all the time.
const gapShare = 1.0 / 4

// Sense returns which poses and readings are used.
func (c *Config) Sense() sense.Config {
	rules := sense.Config{
		Source: c.PoseSource, Frame: c.Frame, BaseFrame: c.BaseFrame, Headless: c.Passive, PoseTimeout: c.Mission.PoseTimeout,
		Covariance: c.covariance(), Matcher: c.Matcher,
		Type: c.Reading.Type, StdDev: c.Reading.StdDev, Delay: c.Reading.Delay, Silence: c.Mission.SampleTimeout / 6,
		Readings: c.Reading.Count, Wait: c.Reading.Wait,
		PieceLength: c.Path.Length, PieceTime: c.Path.Time, Standing: c.Mission.ArrivalSpeed, Settle: c.Mission.SettleTime,
	}
	rules.Matcher.MaxGap = seconds(gapShare * c.Mission.PoseTimeout)
	return rules
}

// NewChecker returns a checker of poses with these rules.
func (c *Config) NewChecker() (*localization.Checker, error) {
	return localization.NewChecker(c.covariance())
}
