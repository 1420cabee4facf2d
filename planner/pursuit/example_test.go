package pursuit_test

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/pursuit"
)

// A robot that obeys every command drives to a goal 2 m to its left.
func ExampleFollower() {
	f, err := pursuit.New(pursuit.DefaultConfig())
	if err != nil {
		panic(err)
	}
	if err := f.SetPath(pursuit.Path{Points: []orb.Point{{0, 2}}}); err != nil {
		panic(err)
	}
	const dt = 0.02
	var p pursuit.Pose
	turned := false
	for {
		cmd, st := f.Step(p.Stamp, p)
		if st.Phase == pursuit.PhaseTurning && !turned {
			turned = true
			fmt.Printf("turning by %.2f rad on the spot\n", st.HeadingError)
		}
		if st.Phase == pursuit.PhaseArrived {
			fmt.Printf("%v within %.2f m\n", st.Phase, f.Config().GoalTolerance)
			return
		}
		p.V, p.W = cmd.Linear, cmd.Angular
		p.X += p.V * dt * math.Cos(p.Yaw)
		p.Y += p.V * dt * math.Sin(p.Yaw)
		p.Yaw += p.W * dt
		p.Stamp += dt * 1e9
	}
	// Output:
	// turning by 1.57 rad on the spot
	// arrived within 0.15 m
}
