package ros

import "time"

// SetWall replaces the wall clock of a Grace.
func (g *Grace) SetWall(now func() time.Time) { g.now = now }

const LevelFatal = levelFatal

type ParameterArg = parameterArg

var (
	Incompatible = incompatible
	RosoutQoS    = rosoutQoS
)
