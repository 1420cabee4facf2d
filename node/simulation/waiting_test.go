package simulation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization/filter"
)

// TestNeverBegun: a mission that nothing begins is given up after an hour, not
// after two days, and says what it waited for.
func TestNeverBegun(t *testing.T) {
	for name, c := range map[string]struct {
		yaml   string
		change func(*Config)
		want   []string
	}{
		"no heading":   {"ekf: {ros__parameters: {heading: drive}}", func(*Config) {}, []string{"waits for a pose: no heading yet: drive the robot 8 m by hand, give initial_yaw, or set heading_drive.distance;", "filter's state: " + filter.PositionKnown.String()}},
		"poor poses":   {"", func(c *Config) { c.Explorer.Covariance.MaxPositionStdDev = 0.01 }, []string{"waits for a pose that can be used", "at most 0.01 m", filter.Running.String()}},
		"nobody there": {"ugp_explorer: {ros__parameters: {auto_start: false}}", func(*Config) {}, []string{"waits for the start;"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := DefaultConfig(1)
			c.change(&cfg)
			s := begin(t, &cfg, Options{Parameters: parameters(t, c.yaml)})
			err := s.Run(t.Context())
			if err == nil || errors.Is(err, ErrGivenUp) {
				t.Fatalf("error %v, want one of its own", err)
			}
			for _, want := range append(c.want, "has not begun within 1 h") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
			if now := time.Duration(s.executor.Now()); now < Patience || now > Patience+time.Minute {
				t.Errorf("given up after %s, want %s", now, Patience)
			}
		})
	}
}
