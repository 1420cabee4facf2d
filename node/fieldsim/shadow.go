package fieldsim

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/sim"
)

// ShadowConfig is an area in which position fixes are poor or missing. Where the
// covariance of a fix says so, and a filter believes it, the robot's own covariance
// grows there.
type ShadowConfig struct {
	Corners []float64 // x, y, x, y …, m; empty: there is none
	Factor  float64   // on the deviation of the fixes
	Missing bool      // no fixes at all
}

func (c ShadowConfig) validate() error {
	if n := len(c.Corners); n%2 != 0 || n != 0 && n < 6 {
		return fmt.Errorf("fieldsim: fix.shadow has %d numbers, want none, or x and y of at least 3 corners", n)
	}
	return nil
}

// over returns the fixes with the shadow.
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
