package follower

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"ugp_explorer/node/ros"
	"ugp_explorer/planner/pursuit"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "follower"

// The topics that a goal may come from.
const (
	SourcePlan = "plan"
	SourceGoal = "goal_pose"
)

// Config is everything that the follower can be told.
type Config struct {
	Source      string  // SourcePlan or SourceGoal
	GoalTimeout float64 // s without a repetition of the goal after which the robot is stopped
	Rate        float64 // of cmd_vel, Hz
	Stamped     bool    // publish TwistStamped, as robots from ROS 2 Jazzy on expect
	FrameID     string  // of the pose and the goals
	Pursuit     pursuit.Config
}

// DefaultConfig returns a follower for the ATRV of the simulation.
func DefaultConfig() Config {
	c := Config{Source: SourcePlan, GoalTimeout: 5, Rate: 20, FrameID: "map", Pursuit: pursuit.DefaultConfig()}
	// An open field, a robot of 2 m/s and a position that jumps by decimetres
	// with each fix: faster, and looking further ahead, than indoors.
	c.Pursuit.MaxSpeed = 1.6
	c.Pursuit.LookaheadMin, c.Pursuit.LookaheadMax = 1.5, 4
	c.Pursuit.ApproachDistance = 2
	c.Pursuit.GoalTolerance = 0.5
	c.Pursuit.CurveRadius = 2
	return c
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *ros.ParameterSet {
	set := ros.NewParameterSet()
	set.String(&c.Source, "goal.source", ros.OneOf(SourcePlan, SourceGoal), ros.ReadOnly(),
		ros.Describe("topic that says where to drive: plan, a path, or goal_pose, straight to a pose"))
	set.Float64(&c.GoalTimeout, "goal.timeout", ros.Unit("s"), ros.Range(0.1, math.Inf(1)),
		ros.Describe("the robot is stopped when the goal has not been repeated for so long; inf: a goal is good for ever"))
	set.Float64(&c.Rate, "rate", ros.Unit("Hz"), ros.Range(1, 200), ros.ReadOnly(),
		ros.Describe("velocity commands each second"))
	set.Bool(&c.Stamped, "cmd_vel_stamped", ros.ReadOnly(),
		ros.Describe("publish TwistStamped on cmd_vel, as robots from ROS 2 Jazzy on expect, not Twist"))
	set.String(&c.FrameID, "frame_id", ros.ReadOnly(),
		ros.Describe("frame that poses and goals must be in"))

	p := &c.Pursuit
	set.Float64(&p.MaxSpeed, "max_speed", ros.Unit("m/s"), ros.Above(0), ros.Describe("largest forward speed"))
	set.Float64(&p.MaxTurnRate, "max_turn_rate", ros.Unit("rad/s"), ros.Above(0), ros.Describe("largest turn rate"))
	set.Float64(&p.Acceleration, "acceleration", ros.Unit("m/s^2"), ros.Above(0), ros.Describe("largest gain of speed"))
	set.Float64(&p.Deceleration, "deceleration", ros.Unit("m/s^2"), ros.Above(0), ros.Describe("largest loss of speed"))
	set.Float64(&p.TurnRateChange, "turn_acceleration", ros.Unit("rad/s^2"), ros.Above(0), ros.Describe("largest change of the turn rate"))
	set.Float64(&p.LookaheadTime, "lookahead.time", ros.Unit("s"), ros.AtLeast(0), ros.Describe("the lookahead distance is this times the speed"))
	set.Float64(&p.LookaheadMin, "lookahead.min", ros.Unit("m"), ros.Above(0), ros.Describe("but at least this"))
	set.Float64(&p.LookaheadMax, "lookahead.max", ros.Unit("m"), ros.Above(0), ros.Describe("and at most this"))
	set.Float64(&p.CurveRadius, "curve.radius", ros.Unit("m"), ros.Above(0), ros.Describe("on arcs tighter than this the speed falls in proportion"))
	set.Float64(&p.CurveSpeed, "curve.min_speed", ros.Unit("m/s"), ros.Above(0), ros.Describe("but not below this"))
	set.Float64(&p.ApproachDistance, "approach.distance", ros.Unit("m"), ros.Above(0), ros.Describe("this near to a stop the speed falls in proportion"))
	set.Float64(&p.ApproachSpeed, "approach.min_speed", ros.Unit("m/s"), ros.Above(0), ros.Describe("but not below this"))
	set.Float64(&p.TurnEnter, "turn.enter", ros.Unit("rad"), ros.Above(0), ros.Below(math.Pi/2), ros.Describe("further to the side than this the robot turns on the spot"))
	set.Float64(&p.TurnExit, "turn.exit", ros.Unit("rad"), ros.Above(0), ros.Below(math.Pi/2), ros.Describe("until it is less than this to the side"))
	set.Float64(&p.TurnGain, "turn.gain", ros.Unit("1/s"), ros.Above(0), ros.Describe("turn rate on the spot for each radian left"))
	set.Float64(&p.GoalTolerance, "goal.tolerance", ros.Unit("m"), ros.Above(0), ros.Describe("this near to the end of the path the robot stops"))
	set.Float64(&p.StandSpeed, "stand_speed", ros.Unit("m/s"), ros.Above(0), ros.Describe("slower than this the robot counts as standing"))
	set.Float64(&p.MaxPoseAge, "pose_timeout", ros.Unit("s"), ros.Above(0), ros.Describe("with an older pose the robot is stopped"))
	set.OnChange(c.Validate)
	return set
}

// Validate names the parameters that are out of their ranges.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("follower: %w", err)
	}
	if c.FrameID == "" {
		return errors.New("follower: frame_id is empty, want the frame of poses and goals")
	}
	if err := c.Pursuit.Validate(); err != nil {
		return errors.New("follower: " + goName.ReplaceAllStringFunc(err.Error(), parameterName))
	}
	return nil
}

// goName finds names of pursuit.Config's fields in its errors.
var goName = regexp.MustCompile(`\b[A-Z]\w+`)

// parameterName returns the parameter that sets a field of pursuit.Config, the
// field itself when there is none.
func parameterName(field string) string {
	switch field {
	case "MaxSpeed":
		return "max_speed"
	case "Deceleration":
		return "deceleration"
	case "LookaheadMin":
		return "lookahead.min"
	case "LookaheadMax":
		return "lookahead.max"
	case "CurveSpeed":
		return "curve.min_speed"
	case "ApproachSpeed":
		return "approach.min_speed"
	case "TurnEnter":
		return "turn.enter"
	case "TurnExit":
		return "turn.exit"
	case "GoalTolerance":
		return "goal.tolerance"
	}
	return field
}
