package follower

import (
	"errors"
	"fmt"
	"math"
	"regexp"

	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/pursuit"
)

// DefaultName is the node's name unless it is remapped.
const DefaultName = "follower"

// Names of the topics from which a goal can come.
const (
	SourcePlan = "plan"
	SourceGoal = "goal_pose"
)

// Config holds the parameters of the follower's node.
type Config struct {
	Source      string  // SourcePlan or SourceGoal
	GoalTimeout float64 // s without a repetition of the goal after which the robot is stopped
	Rate        float64 // velocity commands per second, Hz
	ZeroTime    float64 // s for which zero commands are repeated when there is no path any more
	// Limits of a drive without a pose, by which the localisation finds the heading.
	BlindSpeed    float64 // m/s
	BlindDistance float64 // m

	Stamped bool    // publish TwistStamped, which robots expect since ROS 2 Jazzy
	FrameID string  // frame of the pose and the goals
	Radius  float64 // of the circle round the base that contains the robot, m
	// Pursuit has NaN where a parameter follows Radius and no value is given; New
	// replaces it.
	Pursuit pursuit.Config
}

// DefaultConfig returns the configuration for the ATRV of the simulation, of which the
// lengths and the largest speed follow Radius.
func DefaultConfig() Config {
	c := Config{Source: SourcePlan, GoalTimeout: 5, Rate: 20, ZeroTime: 2, BlindSpeed: 0.5, BlindDistance: 10, FrameID: "map", Radius: defaultRadius, Pursuit: pursuit.DefaultConfig()}
	// On an open field, with a position that jumps by decimetres with each fix, speed and
	// lookahead distance are larger than indoors.
	scaled.Unset(&c)
	return c
}

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	set.String(&c.Source, "goal.source", param.OneOf(SourcePlan, SourceGoal),
		param.Describe("topic from which the goal comes: plan (a path to follow) or goal_pose (a pose to drive straight to)"))
	set.Float64(&c.GoalTimeout, "goal.timeout", param.Unit("s"), param.Range(0.1, math.Inf(1)), param.Live(),
		param.Describe("the robot stops when the goal has not been repeated for this time, and in simulated time for half a second of wall time too; inf: a goal stays valid for ever"))
	set.Float64(&c.Rate, "rate", param.Unit("Hz"), param.Range(1, 200),
		param.Describe("velocity commands per second on cmd_vel"))
	set.Float64(&c.ZeroTime, "zero_time", param.Unit("s"), param.Range(0.1, 3600), param.Live(),
		param.Describe("time for which zero velocities are repeated when the robot has stopped because its path was withdrawn; after that, and before the first path, the follower publishes nothing, so that others can drive the robot"))
	set.Bool(&c.Stamped, "cmd_vel_stamped",
		param.Describe("publish TwistStamped on cmd_vel, which robots expect since ROS 2 Jazzy; false publishes Twist"))
	set.String(&c.FrameID, "frame_id",
		param.Describe("frame of poses and goals; a message in another frame is refused"))

	set.Float64(&c.BlindSpeed, "heading_drive.max_speed", param.Unit("m/s"), param.Range(0, 2), param.Live(),
		param.Describe("largest speed at which a robot without a pose drives straight ahead while the explorer asks for that on heading_drive, to find the heading"))
	set.Float64(&c.BlindDistance, "heading_drive.max_distance", param.Unit("m"), param.Range(0, 100), param.Live(),
		param.Describe("longest distance, as speed times time, that a robot without a pose drives straight ahead; 0: it never drives without a pose"))
	set.Float64(&c.Radius, "robot.radius", param.Unit("m"), param.Above(0),
		param.Describe("radius of the circle round the robot's base that contains the whole robot; speed and distances that are not given follow it"))

	p := &c.Pursuit
	set.Float64(&p.MaxSpeed, "max_speed", param.Unit("m/s"), param.Above(0), param.Live(), scaled.Option("max_speed"), param.Describe("largest forward speed"))
	set.Float64(&p.MaxTurnRate, "max_turn_rate", param.Unit("rad/s"), param.Above(0), param.Live(), param.Describe("largest turn rate"))
	set.Float64(&p.Acceleration, "acceleration", param.Unit("m/s^2"), param.Above(0), param.Live(), param.Describe("largest increase of speed per second"))
	set.Float64(&p.Deceleration, "deceleration", param.Unit("m/s^2"), param.Above(0), param.Live(), param.Describe("largest decrease of speed per second"))
	set.Float64(&p.TurnRateChange, "turn_acceleration", param.Unit("rad/s^2"), param.Above(0), param.Live(), param.Describe("largest change of the turn rate per second"))
	set.Float64(&p.LookaheadTime, "lookahead.time", param.Unit("s"), param.AtLeast(0), param.Live(), param.Describe("the lookahead distance is lookahead.time times the speed, limited to lookahead.min and lookahead.max"))
	set.Float64(&p.LookaheadMin, "lookahead.min", param.Unit("m"), param.Above(0), param.Live(), scaled.Option("lookahead.min"), param.Describe("smallest lookahead distance"))
	set.Float64(&p.LookaheadMax, "lookahead.max", param.Unit("m"), param.Above(0), param.Live(), scaled.Option("lookahead.max"), param.Describe("largest lookahead distance"))
	set.Float64(&p.CurveRadius, "curve.radius", param.Unit("m"), param.Above(0), param.Live(), scaled.Option("curve.radius"), param.Describe("radius of the arc below which the speed is reduced in proportion to the radius"))
	set.Float64(&p.CurveSpeed, "curve.min_speed", param.Unit("m/s"), param.Above(0), param.Live(), param.Describe("lowest speed to which curve.radius reduces the speed on an arc"))
	set.Float64(&p.ApproachDistance, "approach.distance", param.Unit("m"), param.Above(0), param.Live(), scaled.Option("approach.distance"), param.Describe("distance from a stop below which the speed is reduced in proportion to the distance"))
	set.Float64(&p.ApproachSpeed, "approach.min_speed", param.Unit("m/s"), param.Above(0), param.Live(), param.Describe("lowest speed to which approach.distance reduces the speed before a stop"))
	set.Float64(&p.TurnEnter, "turn.enter", param.Unit("rad"), param.Above(0), param.Below(math.Pi/2), param.Live(), param.Describe("bearing to the lookahead point above which the robot stops and turns on the spot"))
	set.Float64(&p.TurnExit, "turn.exit", param.Unit("rad"), param.Above(0), param.Below(math.Pi/2), param.Live(), param.Describe("bearing to the lookahead point below which a turn on the spot ends"))
	set.Float64(&p.TurnGain, "turn.gain", param.Unit("1/s"), param.Above(0), param.Live(), param.Describe("turn rate on the spot per radian left to turn, up to max_turn_rate"))
	set.Float64(&p.GoalTolerance, "goal.tolerance", param.Unit("m"), param.Above(0), param.Live(), scaled.Option("goal.tolerance"), param.Describe("accepted distance from the end of the path, within which the robot stops"))
	set.Float64(&p.StandSpeed, "stand_speed", param.Unit("m/s"), param.Above(0), param.Live(), param.Describe("measured speed below which the robot counts as standing"))
	set.Float64(&p.MaxPoseAge, "pose_timeout", param.Unit("s"), param.Above(0), param.Live(), param.Describe("largest age of the pose; with an older pose the robot stops at once; in simulated time it slows down, and stops at once when no pose has come for half a second of wall time either"))
	set.OnChange(func() error {
		c.resolve()
		return c.Validate()
	})
	return set
}

// Validate returns an error that names the parameters out of their ranges. It changes
// nothing.
func (c *Config) Validate() error {
	if err := c.Parameters().Check(); err != nil {
		return fmt.Errorf("follower: %w", err)
	}
	if c.FrameID == "" {
		return errors.New("follower: frame_id is empty, want the frame of poses and goals")
	}
	own := *c
	own.resolve()
	if err := own.Pursuit.Validate(); err != nil {
		return errors.New("follower: " + goName.ReplaceAllStringFunc(err.Error(), parameterName))
	}
	return nil
}

// goName matches the names of pursuit.Config's fields in its errors.
var goName = regexp.MustCompile(`\b[A-Z]\w+`)

// parameterName returns the parameter that sets a field of pursuit.Config, or the name
// of the field when no parameter sets it.
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
