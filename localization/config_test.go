package localization

import (
	"math"
	"strings"
	"testing"
)

// Every default is valid, and the error names every invalid field with its value.
func TestConfigs(t *testing.T) {
	covariance := func(f func(*CovarianceConfig)) error {
		c := DefaultCovarianceConfig()
		f(&c)
		_, err := NewChecker(c)
		return err
	}
	buffer := func(f func(*BufferConfig)) error {
		c := DefaultBufferConfig()
		f(&c)
		_, err := NewPoseBuffer(c)
		return err
	}
	matcher := func(f func(*MatcherConfig)) error {
		c := DefaultMatcherConfig()
		f(&c)
		_, err := NewMatcher(c)
		return err
	}
	stop := func(f func(*StopConfig)) error { c := DefaultStopConfig(); f(&c); _, err := NewStop(c); return err }
	for _, c := range []struct {
		err  error
		want []string // empty: valid
	}{
		{covariance(func(*CovarianceConfig) {}), nil},
		{covariance(func(c *CovarianceConfig) { c.MaxPositionStdDev = 0 }), []string{"CovarianceConfig.MaxPositionStdDev = 0"}},
		{covariance(func(c *CovarianceConfig) { c.MaxPositionStdDev = 1e10 }), []string{"MaxPositionStdDev = 1e+10"}},
		{covariance(func(c *CovarianceConfig) { c.ZeroPositionStdDev = 0.5 }), nil},
		{covariance(func(c *CovarianceConfig) { c.ZeroPositionStdDev = 200 }), []string{"ZeroPositionStdDev = 200"}},
		{covariance(func(c *CovarianceConfig) { c.ZeroPositionStdDev = math.NaN() }), []string{"ZeroPositionStdDev = NaN"}},
		{buffer(func(*BufferConfig) {}), nil},
		{buffer(func(c *BufferConfig) { c.Capacity = 1 }), []string{"BufferConfig.Capacity = 1"}},
		{buffer(func(c *BufferConfig) { c.MaxGap, c.ResetJump = 0, -1 }), []string{"MaxGap = 0s", "ResetJump = -1ns"}},
		{buffer(func(c *BufferConfig) { c.HoldTolerance = -1 }), []string{"HoldTolerance = -1ns"}},
		{buffer(func(c *BufferConfig) { c.MaxSpeed, c.MaxTurnRate = -1, math.Inf(1) }), []string{"MaxSpeed = -1", "MaxTurnRate = +Inf"}},
		{matcher(func(*MatcherConfig) {}), nil},
		{matcher(func(c *MatcherConfig) { c.Buffer.Capacity = 0 }), []string{"BufferConfig.Capacity = 0"}},
		{matcher(func(c *MatcherConfig) { c.Probe.Y = math.NaN() }), []string{"MatcherConfig.Probe = {0 NaN}"}},
		{matcher(func(c *MatcherConfig) { c.Capacity, c.Timeout = 0, 0 }), []string{"MatcherConfig.Capacity = 0", "Timeout = 0s"}},
		{stop(func(*StopConfig) {}), nil},
		{stop(func(c *StopConfig) { c.MinReadings = 0 }), []string{"StopConfig.MinReadings = 0"}},
		{stop(func(c *StopConfig) { c.MaxReadings = 0 }), []string{"MaxReadings = 0"}},
		{stop(func(c *StopConfig) { c.ReadingStdDev = 0 }), []string{"ReadingStdDev = 0"}},
		{stop(func(c *StopConfig) { c.PriorReadings = 0 }), []string{"PriorReadings = 0", "MinReadings at least 2"}},
		{stop(func(c *StopConfig) { c.PriorReadings, c.MinReadings = 0, 2 }), nil},
		{stop(func(c *StopConfig) { c.SharedStdDev, c.OutlierThreshold = -1, -2 }), []string{"SharedStdDev = -1", "OutlierThreshold = -2"}},
	} {
		if len(c.want) == 0 {
			if c.err != nil {
				t.Errorf("refused: %v", c.err)
			}
			continue
		}
		for _, w := range c.want {
			if c.err == nil || !strings.Contains(c.err.Error(), w) {
				t.Errorf("error %q does not name %q", c.err, w)
			}
		}
	}
}

// Each value has its own name, as reports and parameter files need.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	name := func(s string) {
		t.Helper()
		if s == "" || seen[s] {
			t.Errorf("name %q is empty or taken", s)
		}
		seen[s] = true
	}
	for k := range kinds {
		name(k.String())
	}
	if Kind(-1).String() == "" {
		t.Error("values without a name")
	}
}
