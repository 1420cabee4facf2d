package explorer

import (
	"math"

	"ugp_explorer/gp"
	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set := param.NewSet()
	c.declareGeneral(set)
	c.declareField(set)
	c.declareDecision(set)
	c.declareMission(set)
	c.declareSensing(set)
	c.declareModel(set)
	set.OnChange(c.Validate)
	return set
}

func (c *Config) declareGeneral(set *param.Set) {
	set.Int64(&c.Seed, "seed", param.Range(0, math.MaxInt32),
		param.Describe("of the search's random numbers: the same seed and the same readings, the same goals"))
	set.Bool(&c.Passive, "passive",
		param.Describe("observe from wherever the robot goes, map, and suggest goals on ~/suggestion; never publish goal_pose or plan"))
	set.Bool(&c.AutoStart, "auto_start",
		param.Describe("start with the first pose, without waiting for ~/start: the robot moves at once"))
	set.String(&c.Frame, "frame_id", param.Describe("frame of poses, field and goals"))
	set.String(&c.OutputDir, "output_dir",
		param.Describe("folder of the mission: its journal, bags, mission.json and the report; empty: nothing is written"))
	set.String(&c.Existing, "existing_mission", param.OneOf(ExistingResume, ExistingRefuse, ExistingReplace),
		param.Describe("what becomes of a mission in output_dir: resume takes it up where it stopped and refuses one that is over, refuse takes none, replace begins anew and deletes it"))
	set.Bool(&c.AutoResume, "auto_resume",
		param.Describe("a mission that was taken up goes on with the first pose, without waiting for ~/resume, unless a person had paused it: the robot moves at once"))
	set.Bool(&c.Report, "report",
		param.Describe("write report.html and pictures beside mission.json when the mission ends or is interrupted"))
	set.String(&c.Record.Topics, "record.topics", param.OneOf(recorder.Choices()...),
		param.Describe("what goes into the bags in output_dir: mission (what the explorer publishes, and its commands), all (what it hears besides: poses, readings, the clock, ground truth) or none"))
	set.Int64(&c.Record.Reserve, "record.reserve", param.Unit("MB"), param.AtLeast(0),
		param.Describe("of the disk that are left free: with less, recording stops, and the mission goes on"))
	set.Bool(&c.Truth, "ground_truth",
		param.Describe("simulation: follow ground_truth/odom and ground_truth/field, for the report's regret and nothing else"))
	set.Strings(&c.Team, "team",
		param.Describe("full names of the other robots' explorers, as [/robot2/ugp_explorer]: their observations are learnt from, and targets keep away from theirs"))
	set.Float64(&c.MapCell, "map.cell", param.Unit("m"), param.Above(0),
		param.Describe("edge of a cell of the published maps, a million cells at the most"))
}

func (c *Config) declareField(set *param.Set) {
	set.String(&c.Field.File, "field.file",
		param.Describe("GeoJSON outline of the field, with holes and keep-outs"))
	set.Float64s(&c.Field.Datum, "field.datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for an outline in degrees; empty: the outline is in metres"))
	set.Float64(&c.Field.Margin, "field.margin", param.Unit("m"), param.AtLeast(0),
		param.Describe("distance that the robot keeps from the outline and the keep-outs"))
	set.String(&c.Field.Name, "field.name", param.Describe("name of the field, for the report"))
	set.String(&c.Quantity, "quantity", param.Describe("what is measured, for the report"))
	set.String(&c.Units, "units", param.Describe("unit of a reading, for the report"))
}

func (c *Config) declareDecision(set *param.Set) {
	var objectives []string
	for _, o := range planner.Objectives() {
		objectives = append(objectives, string(o))
	}
	set.String((*string)(&c.Objective), "objective", param.OneOf(objectives...),
		param.Describe("what is looked for: the place with the highest value, or the lowest; a map that is equally good everywhere; or the line where the value crosses the threshold"))
	set.Float64(&c.Threshold, "threshold", param.Unit("reading"),
		param.Describe("threshold: the value whose line is looked for"))
	set.String(&c.Method, "method", param.OneOf(c.Catalogue.MethodNames()...), param.Describe("how targets are chosen"))
	set.String(&c.Beta.Schedule, "beta.schedule", param.OneOf(c.Catalogue.ScheduleNames()...),
		param.Describe("how the weight β of the standard deviation in the acquisition is found: fixed, one number; experiments also offer the schedules of the paper's theorems"))
	set.Float64(&c.Beta.Fixed, "beta.fixed", param.Range(0, 1000),
		param.Describe("β of the fixed schedule; larger values explore more"))
	set.Float64(&c.Beta.Delta, "beta.delta", param.Above(0), param.Below(1),
		param.Describe("theorem: probability that the bound may fail"))
	set.Float64(&c.Beta.Bound, "beta.bound", param.Above(0),
		param.Describe("theorem: bound b on the norm of the field in signal deviations"))
	set.Float64(&c.Beta.Noise, "beta.noise", param.Unit("model"), param.AtLeast(0),
		param.Describe("theorem: deviation of the noise of an observation"))
	set.Float64(&c.Beta.Scale, "beta.scale", param.Range(0, 1000),
		param.Describe("theorem: its weight is multiplied by this; taken literally it explores more than pays"))
	set.Int(&c.Spread, "spread.samples", param.Unit("samples"), param.Range(0, 1000),
		param.Describe("of the first samples so many, but a third of budget.samples at most, are spread evenly over the field before the method has its say; not for random and grid"))
	set.String((*string)(&c.Recommend), "recommend", param.OneOf(string(planner.RecommendTarget), string(planner.RecommendAnywhere)),
		param.Describe("which place is named as the best: of the past targets, or of the whole field, the one with the highest posterior mean"))
	set.Float64(&c.Execution, "execution.stddev", param.Unit("m"), param.Range(0, 1000),
		param.Describe("how far from its target a sample is taken, as a deviation in x and in y: targets are judged by the mean over that"))
	l := &c.Learn
	set.Bool(&l.On, "execution.learn",
		param.Describe("learn that, and a bias, from where samples were probably taken, beginning with execution.stddev"))
	set.Float64(&l.Factor, "execution.prior_factor", param.Above(1),
		param.Describe("learning: execution.stddev is taken to be right within this factor, as a standard deviation"))
	set.Float64(&l.Weight, "execution.prior_weight", param.Unit("samples"), param.Above(0),
		param.Describe("learning: the noise is taken to be alike in all directions, and without a bias, as if so many samples had shown it"))
	set.String(&l.Located, "execution.located", param.OneOf(locatedFiltered, locatedMeasured),
		param.Describe("learning: how the pose comes about: filtered, all that is known of where the robot is, which it steers by, so that the pose's covariance is part of how far off it ends up; or measured beside the way there, so that it is not"))
	set.Bool(&l.Directional, "execution.directional",
		param.Describe("learning: the noise and its bias lie along and across the way on which a target is approached"))
	set.Bool(&l.Growing, "execution.growing",
		param.Describe("learning: the noise may grow with the length of the way"))
	set.Bool(&l.Local, "execution.local",
		param.Describe("learning: targets are judged by how well places were known where samples were taken nearby"))
	set.Float64(&c.Travel, "travel_cost", param.Unit("1/km"), param.AtLeast(0),
		param.Describe("what a kilometre of way takes off a target's acquisition, in deviations of the field about its mean; 0: way costs nothing"))
	set.Int(&c.Search.Starts, "search.starts", param.Range(1, 1e6),
		param.Describe("places that are compared at each decision"))
	set.Int(&c.Search.Refine, "search.refine", param.Range(1, 1000),
		param.Describe("best of them that are improved by gradient ascent"))
}

func (c *Config) declareMission(set *param.Set) {
	m := &c.Mission
	set.Int(&m.Budget.Samples, "budget.samples", param.Range(0, 100000),
		param.Describe("samples to be taken; 0: no limit"))
	set.Float64(&m.Budget.Distance, "budget.distance", param.Unit("m"), param.AtLeast(0),
		param.Describe("way that may be driven, the way home included; 0: no limit"))
	set.Float64(&m.Budget.Duration, "budget.time", param.Unit("s"), param.AtLeast(0),
		param.Describe("time until the robot has to be home; 0: no limit"))
	set.Float64(&m.ReserveFactor, "budget.reserve_factor", param.AtLeast(1),
		param.Describe("ways still to be driven are reckoned this much longer"))
	set.Float64(&m.ReserveDistance, "budget.reserve_distance", param.Unit("m"), param.AtLeast(0),
		param.Describe("way kept in reserve besides"))
	set.Float64(&m.ReserveTime, "budget.reserve_time", param.Unit("s"), param.AtLeast(0),
		param.Describe("time kept in reserve besides"))
	set.Float64(&m.Speed, "budget.speed", param.Unit("m/s"), param.Above(0),
		param.Describe("speed that the robot is expected to average"))
	set.Float64(&m.SampleTime, "budget.sample_time", param.Unit("s"), param.AtLeast(0),
		param.Describe("time that a sample is expected to take"))
	set.Float64s(&c.Home, "home", param.Unit("m, m"), param.Length(0, 2),
		param.Describe("x and y of the place to return to; empty: where the mission starts"))
	set.Float64(&m.ArrivalTolerance, "goal.tolerance", param.Unit("m"), param.Above(0),
		param.Describe("distance of the probe from the target at which it counts as reached; more than the follower's own"))
	set.Float64(&m.HomeTolerance, "goal.home_tolerance", param.Unit("m"), param.Above(0),
		param.Describe("way home at which the robot counts as home"))
	set.Float64(&m.ArrivalSpeed, "goal.speed", param.Unit("m/s"), param.Above(0),
		param.Describe("speed below which the robot counts as standing"))
	set.Float64(&m.SettleTime, "goal.settle_time", param.Unit("s"), param.AtLeast(0),
		param.Describe("time that it has to stand before the sample begins"))
	set.Float64(&m.GoalTimeoutBase, "goal.timeout", param.Unit("s"), param.Above(0),
		param.Describe("time granted to reach a target, and besides"))
	set.Float64(&m.GoalTimeoutFactor, "goal.timeout_factor", param.AtLeast(1),
		param.Describe("so many times what the way takes at budget.speed"))
	set.String((*string)(&m.OnTimeout), "goal.on_timeout", param.OneOf(string(mission.TimeoutSample), string(mission.TimeoutSkip)),
		param.Describe("a target that was not reached in its time: sample where the robot stands, or skip it"))
	set.String(&c.Interface, "goal.interface", param.OneOf(goalTopic, goalAction),
		param.Describe("how the goal reaches what drives the robot: as the topics goal_pose and plan, or by Nav2's action navigate_to_pose"))
	set.Int(&c.Rejections, "goal.rejections", param.Range(1, 1000),
		param.Describe("so often in a row the action may reject a goal, which is sent again every goal.period, before the target is skipped"))
	set.Float64(&c.GoalPeriod, "goal.period", param.Unit("s"), param.Range(0.1, 60),
		param.Describe("between repetitions of the goal, so that a follower that starts late gets it; by the action, between a goal that failed and the next"))
	set.Float64(&c.SkipRadius, "skip.radius", param.Unit("m"), param.Above(0),
		param.Describe("places this near to a skipped target are left out"))
	set.Float64(&c.SkipTime, "skip.time", param.Unit("s"), param.Range(0, math.Inf(1)),
		param.Describe("for so long; inf: for the whole mission"))
	set.Float64(&m.PlanTimeout, "plan_timeout", param.Unit("s"), param.Above(0),
		param.Describe("time after which a decision counts as failed"))
	set.Int(&m.MaxFailures, "max_failures", param.AtLeast(1),
		param.Describe("so many failed plans, targets and samples in a row send the robot home"))
}

func (c *Config) declareSensing(set *param.Set) {
	set.String(&c.PoseSource, "pose.source", param.OneOf(poseOdometry, posePose),
		param.Describe("topic of the pose with covariance: odometry (odometry/filtered) or pose"))
	set.Float64(&c.Path.Length, "path.length", param.Unit("m"), param.AtLeast(0),
		param.Describe("passive: the readings of so much of the way make an observation while the robot drives; 0: no such end"))
	set.Float64(&c.Path.Time, "path.time", param.Unit("s"), param.AtLeast(0),
		param.Describe("passive: or those of so long; 0: no such end, and with path.length 0 too only stops are observed"))
	set.Int(&c.Path.Every, "path.every", param.Range(1, 100000),
		param.Describe("passive: so many observations make a suggestion, and each stop does"))
	set.Float64(&c.Mission.PoseTimeout, "pose.timeout", param.Unit("s"), param.Above(0),
		param.Describe("time without a pose after which the robot is halted"))
	set.String(&c.ZeroRule, "pose.zero_covariance", param.OneOf(localization.ZeroRefuse.String(), localization.ZeroSubstitute.String()),
		param.Describe("rule for a pose whose covariance is all zeros, as Gazebo sends it"))
	set.Float64(&c.Covariance.ZeroPositionStdDev, "pose.zero_stddev", param.Unit("m"), param.AtLeast(0),
		param.Describe("deviation in x and y put in place of zeros"))
	set.Float64(&c.Covariance.ZeroYawStdDev, "pose.zero_yaw_stddev", param.Unit("rad"), param.AtLeast(0),
		param.Describe("deviation of the heading put in place of zeros"))
	set.Float64(&c.Covariance.MaxPositionStdDev, "pose.max_stddev", param.Unit("m"), param.Above(0),
		param.Describe("a pose less certain than this is refused"))
	set.Float64(&c.PoseGap, "pose.max_gap", param.Unit("s"), param.Range(0.001, 3600),
		param.Describe("longest time between two poses that is bridged for a reading between them, as if the robot went straight"))
	set.Float64(&c.Matcher.Probe.X, "probe.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("place of the probe on the robot, forward of its base"))
	set.Float64(&c.Matcher.Probe.Y, "probe.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("place of the probe on the robot, left of its base"))

	r := &c.Reading
	set.String(&r.Type, "reading.type", param.OneOf(readingTypes()...),
		param.Describe("message type of the topic reading"))
	set.String(&r.Transform, "reading.transform", param.OneOf(string(record.TransformNone), string(record.TransformLog10), string(record.TransformLn)),
		param.Describe("what the model sees of a reading; the report stays in the reading's unit"))
	set.Float64(&r.Delay, "reading.delay", param.Unit("s"), param.Range(0, 60),
		param.Describe("between a measurement and its message, for types without a stamp"))
	set.Float64(&r.StdDev, "reading.stddev", param.Unit("reading"), param.AtLeast(0),
		param.Describe("noise of one reading that does not state its variance; 0: such a reading is refused"))
	set.Float64(&r.Stop.OutlierThreshold, "reading.outlier_threshold", param.AtLeast(0),
		param.Describe("readings of a stop further from their median than this many robust deviations are left out; 0: none is"))
	set.Int(&r.Count, "sample.readings", param.Range(1, 1000),
		param.Describe("readings that make a sample"))
	set.Float64(&r.Wait, "sample.wait", param.Unit("s"), param.Above(0),
		param.Describe("time after which fewer do"))
	set.Float64(&c.Mission.SampleTimeout, "sample.timeout", param.Unit("s"), param.Above(0),
		param.Describe("time without a reading after which the sample counts as failed"))
}

func (c *Config) declareModel(set *param.Set) {
	m := &c.Model
	set.Bool(&m.Fit, "model.fit",
		param.Describe("learn the hyper-parameters after each sample; beyond 300, from 300 chosen at random, whenever a tenth is new"))
	set.String(&m.Kernel, "model.kernel", param.OneOf(gp.KindNames()...),
		param.Describe("how smooth the field is: se (endlessly), matern52, matern32 (roughest), rq (smooth, alike over long ways too); of matern (both) and auto (all) each fit takes the likeliest, and an average those that the samples leave possible, up to 60 samples"))
	set.Bool(&m.Isotropic, "model.isotropic",
		param.Describe("one length-scale for both axes"))
	set.Float64(&m.SignalStdDev, "model.signal_stddev", param.Unit("model"), param.Above(0),
		param.Describe("deviation of the field about its mean, until it is learnt"))
	set.Float64(&m.LengthScale, "model.length_scale", param.Unit("m"), param.AtLeast(0),
		param.Describe("way over which the field stays alike, and the median of its prior; 0: a sixth of the side of a square of the field's area"))
	set.Float64(&m.NoiseStdDev, "model.noise_stddev", param.Unit("model"), param.AtLeast(0),
		param.Describe("variation over distances too short to map, until it is learnt"))
	set.Float64(&m.Mean, "model.mean", param.Unit("model"),
		param.Describe("mean of the field; used only without model.fit"))
	set.Int(&m.Average, "model.average", param.Range(1, 64),
		param.Describe("decisions and recommendations are averaged over so many hyper-parameters that the samples leave possible, up to 60 samples; 1: those of the fit alone"))
	set.Int(&m.ExactLimit, "model.exact_limit", param.Unit("samples"), param.Range(1, 5000),
		param.Describe("so many samples keep the exact posterior; more are carried by up to 512 inducing points"))
	set.Int(&m.Prior.Starts, "model.fit_starts", param.Range(1, 100),
		param.Describe("starting points of each fit, up to 60 samples; then at most 2"))
}
