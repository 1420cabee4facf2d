package fieldsim

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/sim"
)

// ShadowConfig is an area in which position fixes are poor or missing. A filter that
// uses the covariance of the fixes is less certain of the robot's pose there.
type ShadowConfig struct {
	Corners []float64 // x, y, x, y …, m; empty: no shadow
	Factor  float64   // factor on the standard deviation of the fixes
	Missing bool      // whether there are no fixes at all
}

func (c ShadowConfig) validate() error {
	if n := len(c.Corners); n%2 != 0 || n != 0 && n < 6 {
		return fmt.Errorf("fieldsim: fix.shadow has %d numbers, want none, or x and y of at least 3 corners", n)
	}
	return nil
}

// over returns fix with the shadow added.
func (c ShadowConfig) over(fix sim.FixConfig) sim.FixConfig {
	if len(c.Corners) == 0 {
		return fix
	}
	var ring orb.Ring
	for i := 0; i < len(c.Corners); i += 2 {
		ring = append(ring, orb.Point{c.Corners[i], c.Corners[i+1]})
	}
	ring = append(ring, ring[0])
	fix.Shadows = append(fix.Shadows[:len(fix.Shadows):len(fix.Shadows)], sim.Shadow{Area: orb.Polygon{ring}, Factor: c.Factor, Missing: c.Missing})
	return fix
}
