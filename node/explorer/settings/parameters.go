// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"ugp_explorer/gp"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner"
)

// Parameters binds the node's parameters to c's fields.
func (c *Config) Parameters() *param.Set {
	set, m := param.NewSet(), &c.Mission
	set.Group("What it does")
	set.Bool(&c.Passive, "passive",
		param.Describe("only observe while something else drives the robot, publish maps and suggest goals on ~/suggestion; goal_pose and plan are never published"))
	set.Bool(&c.AutoStart, "auto_start",
		param.Describe("start the mission with the first pose, without waiting for ~/start, unless ~/pause comes before; the robot moves at once"))
	set.Bool(&c.AutoResume, "auto_resume",
		param.Describe("continue an interrupted mission in output_dir with the first pose, without waiting for ~/resume, unless a person has paused it; the robot moves at once"))
	set.Bool(&c.EndWhenDone, "end_when_done",
		param.Describe("end the program when the mission is over and its record and report are written; otherwise it continues, so that its maps stay visible"))

	set.Group("The mission's folder")
	set.String(&c.OutputDir, "output_dir", param.File(),
		param.Describe("folder for the mission's journal, bags, mission.json and report; empty: nothing is written"))
	set.String(&c.Existing, "existing_mission", param.OneOf(ExistingResume, ExistingRefuse, ExistingReplace),
		param.Describe("treatment of a mission found in output_dir: resume (continue it; a finished one is shown, and continues with ~/more), refuse (an error) or replace (delete it and begin a new one)"))
	set.String(&c.Record.Topics, "record.topics", param.OneOf(recorder.Choices()...),
		param.Describe("messages that are recorded in bags in output_dir: mission (those that the explorer publishes, and commands to it), all (also those that it receives: poses, readings, the clock, ground truth, and record.also) or none"))
	set.Strings(&c.Record.Also, "record.also",
		param.Describe("when record.topics is all, topics that are recorded although the explorer does not use them; with the default, the filter can be tuned on a mission, and RViz and Foxglove show where the robot was"))
	set.Int64(&c.Record.Limit, "record.limit", param.Unit("MB"), param.AtLeast(0),
		param.Describe("size of all bags in output_dir above which the oldest are removed; the journal is never removed; 0: no limit; otherwise at least 10"))

	set.Group("Other nodes")
	set.String(&c.Frame, "frame_id",
		param.Describe("frame of poses, field and goals; a pose in another frame is refused"))
	set.Strings(&c.Team, "team", param.Length(0, MostMates),
		param.Describe("full names of the other robots' explorers, such as [/robot2/ugp_explorer]; their observations enter the model, and targets are chosen away from theirs"))
	set.Bool(&c.Truth, "ground_truth",
		param.Describe("for simulations: receive ground_truth/odom and ground_truth/field, from which the report computes the regret; decisions do not use them"))

	set.Group("Robot, field and quantity")
	set.Float64(&c.Radius, "robot.radius", param.Unit("m"), param.Range(0.01, 100),
		param.Describe("radius of a circle around the robot's base that contains the whole robot; the defaults of distances depend on it and on the size of the field"))
	set.String(&c.Field.File, "field.file", param.File(),
		param.Describe("GeoJSON file with the outline of the field, its holes and keep-out areas; for one of several fields in a file, farm.geojson#NAME or #NUMBER"))
	set.Float64s(&c.Field.Datum, "field.datum", param.Unit("deg, deg"), param.Length(0, 2),
		param.Describe("longitude and latitude of the map's origin, for a field outline in degrees; empty: the outline is in metres"))
	set.Float64(&c.Field.Margin, "field.margin", param.Unit("m"), param.AtLeast(0), automatics.Option("field.margin"),
		param.Describe("distance that the robot keeps from the outline of the field and from keep-out areas; if field.file states the standard deviation of their edges, twice that is added"))
	set.Float64(&c.Field.Sigmas, "field.margin_sigmas", param.Range(0, 10),
		param.Describe("number of standard deviations of the robot's position, towards the nearest edge, that must fit with robot.radius (or field.margin, if that is less) between the position and the outline of the field or a keep-out area; otherwise the robot stops until the position is more certain, unless its path leads inwards, and targets and paths keep farther away; 0: the uncertainty of the position is ignored"))
	set.String(&c.Quantity, "quantity", param.Describe("name of the measured quantity in the report"))
	set.String(&c.Units, "units", param.Describe("unit of the readings in the report"))
	set.Strings(&c.Covariates, "covariates", param.File(),
		param.Describe("files of covariate rasters, such as an image of the crop, soil conductivity or last year's map: GeoTIFF with one band, or points in CSV; the weight of each is learnt from the samples"))
	set.Float64(&c.KeepoutCell, "keepout.cell", param.Unit("m"), param.AtLeast(0),
		param.Describe("edge length of a cell of ~/keepout, the grid of occupied places for Nav2's costmap; 0: a 400th of the side of a square of the grid's area or half of robot.radius, if that is less, rounded down to a usual length of at least 0.05 m, or larger, so that the grid has at most 4 million cells; at most 16 million are allowed"))

	set.Group("Objective and method")
	var objectives []string
	for _, o := range planner.Objectives() {
		objectives = append(objectives, string(o))
	}
	set.Int64(&c.Seed, "seed", param.Range(0, math.MaxInt32),
		param.Describe("seed of the random numbers in decisions; the same seed and the same readings give the same goals"))
	set.String((*string)(&c.Objective), "objective", param.OneOf(objectives...),
		param.Describe("objective of the mission: maximum or minimum (find the place with the highest or lowest value), map (a map that is equally certain everywhere) or threshold (the line where the value crosses the parameter threshold)"))
	set.Float64(&c.Threshold, "threshold", param.Unit("unit of the page"), param.Auto("no value, which objective threshold refuses"),
		param.Describe("value whose contour line is sought when objective is threshold, in the unit of the page and the report: mg/l also if units is log10(mg/l)"))
	set.String(&c.Method, "method", param.OneOf(c.Catalogue.MethodNames()...),
		param.Describe("method that chooses the targets; ugp-ucb takes into account how uncertain the places of targets and samples are, gp-ucb does not"))
	set.Float64(&c.Beta, "beta.fixed", param.Range(0, 1000),
		param.Describe("β, the weight of the standard deviation in the acquisition function; larger values explore more"))
	set.Float64(&c.Execution, "execution.stddev", param.Unit("m"), param.Range(0, 1000), automatics.Option("execution.stddev"),
		param.Describe("standard deviation of the execution noise in x and in y, which is the distance of a sample from its target; a target is judged by the mean over these places"))
	set.Bool(&c.Learn.Local, "execution.local",
		param.Describe("judge targets by the standard deviation that the robot's position will have there, such as under trees, from the covariances of the poses along its whole path, from zones with the role localization in field.file, and from places where the pose was lost; has no effect while the standard deviation is everywhere below a tenth of the field's length-scale"))

	set.Group("Budget")
	set.Int(&m.Budget.Samples, "budget.samples", param.Range(0, 100000),
		param.Describe("number of samples to take; 0: no limit or, if budget.distance is limited and budget.time is not, 8 × budget.distance / √(area of the field), about ten per kilometre on a field of 64 ha"))
	set.Float64(&m.Budget.Distance, "budget.distance", param.Unit("m"), param.AtLeast(0),
		param.Describe("distance that the robot may drive, including the path home; 0: no limit"))
	set.Float64(&m.Budget.Duration, "budget.time", param.Unit("s"), param.AtLeast(0),
		param.Describe("time from the start of the mission until the robot must be home; 0: no limit"))
	set.Float64(&m.Speed, "budget.speed", param.Unit("m/s"), param.Above(0), automatics.Option("budget.speed"),
		param.Describe("expected mean speed of the robot on a path; if the robot turns out to be slower, its measured speed is used"))
	set.Float64(&m.SampleTime, "budget.sample_time", param.Unit("s"), param.AtLeast(0),
		param.Describe("expected time for one sample; after four times as long, but at least 20 s, fewer readings than sample.readings make a sample; after three times that, a sample without a reading has failed"))
	set.Group("Driving")
	set.Float64s(&c.Home, "home", param.Unit("m, m"), param.Length(0, 2),
		param.Describe("x and y of the place to which the robot returns; empty: where the mission starts; the robot leaves the field for a home outside it, except with Nav2 or a guard: then it returns as near to home as they allow"))
	set.Float64(&m.ArrivalTolerance, "goal.tolerance", param.Unit("m"), param.Above(0), automatics.Option("goal.tolerance"),
		param.Describe("distance between probe and target below which the target is reached; it must be larger than the tolerance with which the robot's follower or Nav2 stops; the path home also ends within this distance"))
	set.String(&c.Interface, "goal.interface", param.OneOf(GoalTopic, GoalAction),
		param.Describe("interface through which goals are sent: topic (the topics goal_pose and plan) or navigate_to_pose (the action of Nav2)"))
	set.Float64(&c.MaxLeg, "nav2.max_leg", param.Unit("m"), param.AtLeast(0),
		param.Describe("with goal.interface navigate_to_pose, largest distance of a goal from the robot; a target beyond it is reached by several goals; set it below half the width of a global costmap that moves with the robot; 0: no limit until Nav2 aborts a goal"))
	set.Bool(&c.Legs, "nav2.legs",
		param.Describe("with goal.interface navigate_to_pose, send the corners of the explorer's path one after the other, so that the robot stays in the field and crosses no keep-out even if Nav2 knows neither; false: send only the target, for a Nav2 whose global costmap reads ~/keepout"))
	set.Float64(&m.PoseTimeout, "pose.timeout", param.Unit("s"), param.Above(0),
		param.Describe("time without a pose after which the robot is stopped (in simulated time, half a second of wall time must also have passed without one); a reading between two poses that are more than a quarter of this time apart has no pose"))
	set.Float64(&c.HeadingDrive, "heading_drive.distance", param.Unit("m"), param.Range(0, 50),
		param.Describe("longest drive straight ahead with which ~/start, or a mission that has lost the heading, finds the heading of a robot whose position is known; the robot may head in any direction, so a disc must be free whose radius is the sum of this distance (or of what suffices for the standard deviation of the position, if that is less: 6 m for 0.3 m, 11 m for 1 m, 21 m for 2 m; a drive that would probably not suffice is not begun), the margin, the distance to stop and twice the position's standard deviation; needs this package's follower; 0: the robot never drives without a heading"))

	set.Group("Pose and probe")
	set.String(&c.PoseSource, "pose.source", param.OneOf(sense.Odometry, sense.Pose, sense.TF),
		param.Describe("source of the pose with its covariance: odometry (the topic odometry/filtered), pose (the topic pose) or tf (the pose on /tf with the last covariance on the topic pose, for a localisation such as AMCL that publishes its pose only after the robot has moved)"))
	set.String(&c.BaseFrame, "pose.base_frame",
		param.Describe("frame of the robot on /tf, when pose.source is tf"))
	set.Float64(&c.PoseDelay, "pose.delay", param.Unit("s"), param.Range(-ros.MostDelay, ros.MostDelay),
		param.Describe("delay of the stamps of poses: the delay of a localisation that stamps poses when it sends them, or the time by which its clock is ahead (negative: behind); this package's follower needs the same value"))
	set.Float64(&c.Covariance.ZeroPositionStdDev, "pose.zero_stddev", param.Unit("m"), param.AtLeast(0),
		param.Describe("standard deviation in x and y of a pose whose covariance is all zeros or NaN, as Gazebo sends it; 0: such a pose is refused"))
	set.Float64(&c.Matcher.Probe.X, "probe.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the probe on the robot, forward of its base"))
	set.Float64(&c.Matcher.Probe.Y, "probe.y", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the probe on the robot, left of its base"))

	set.Group("Readings and samples")
	set.String(&c.Reading.Type, "reading.type", param.OneOf(sense.ReadingNames()...),
		param.Describe("message type of the topic reading"))
	set.String(&c.Reading.Transform, "reading.transform", param.OneOf(string(record.TransformNone), string(record.TransformLog10), string(record.TransformLn)),
		param.Describe("transform of readings for the model; the report keeps the unit of the readings"))
	set.Float64(&c.Reading.Delay, "reading.delay", param.Unit("s"), param.Range(0, 60),
		param.Describe("delay between a measurement and its message, for message types without a stamp"))
	set.Float64(&c.Reading.StdDev, "reading.stddev", param.Unit("reading"), param.AtLeast(0),
		param.Describe("standard deviation of the noise of a reading whose message states no variance; 0: such a reading is refused"))
	const byType = "what the type allows: 0 to 1 for RelativeHumidity, -273.15 or more for Temperature, 0 or more for FluidPressure and Illuminance, any number for the others"
	set.Float64(&c.Reading.Min, "reading.min", param.Unit("reading"), param.Auto(byType),
		param.Describe("smallest valid reading: a smaller one, such as the error code of a sensor, is refused and counted"))
	set.Float64(&c.Reading.Max, "reading.max", param.Unit("reading"), param.Auto(byType),
		param.Describe("largest valid reading: a larger one is refused and counted; 100 for a RelativeHumidity in per cent"))
	set.Bool(&c.Reading.AtStops, "sample.stop",
		param.Describe("stop at each target to take a sample; false, for a sensor that measures continuously: each path.length metres of the path make one observation, the robot drives from target to target without a stop, and budget.samples must be 0"))
	set.Int(&c.Reading.Count, "sample.readings", param.Range(1, 1000),
		param.Describe("number of readings that make a sample"))
	set.Strings(&c.Also, "also", param.Length(0, MostAlso),
		param.Describe("other quantities that the probe measures at the same stops, each as topic:type:quantity:unit, such as [\"phosphorus:Float64:P:mg/l\", \"ph:FieldReading:pH:\"]; the type is one of those of reading.type, the unit may be empty; they are recorded with the samples, mapped and exported, and no decision depends on them"))
	set.String(&c.Earlier, "earlier.file", param.File(),
		param.Describe("file with samples from before the mission, CSV or GeoJSON, such as samples.csv of an earlier mission: the model knows them from the start, and they do not count against budget.samples; its columns are value, x and y (metres of the map) or lon and lat (degrees, with field.datum), and, if known, stddev (otherwise reading.stddev) and place_stddev (otherwise 3 m); empty: none"))
	set.String(&c.EarlierColumn, "earlier.column",
		param.Describe("column of earlier.file with the quantity, such as Yield; empty: the column value or, without one, the only column that is neither a place nor a standard deviation"))
	set.Float64(&c.Path.Length, "path.length", param.Unit("m"), param.AtLeast(0), automatics.Option("path.length"),
		param.Describe("when passive is true or sample.stop false, length of the path whose readings make one observation; an observation also ends after a minute; 0: only after a minute"))

	set.Group("A second sensor")
	set.String(&c.Secondary.Type, "secondary.type", param.OneOf(append([]string{""}, sense.ReadingNames()...)...),
		param.Describe("message type of the topic secondary, on which a cheap sensor sends readings along the whole path, such as of soil conductivity, gamma rays or crop height; the correlation of the sought quantity with them is learnt from the samples; empty: there is no such sensor"))
	set.Float64(&c.Secondary.StdDev, "secondary.stddev", param.Unit("reading"), param.AtLeast(0),
		param.Describe("standard deviation of the noise of a reading of the second sensor whose message states no variance; 0: such a reading is refused"))
	set.Float64(&c.Secondary.Delay, "secondary.delay", param.Unit("s"), param.Range(0, 60),
		param.Describe("delay between a measurement of the second sensor and its message, for message types without a stamp"))
	set.Float64(&c.Secondary.Probe, "secondary.probe.x", param.Unit("m"), param.Range(-10, 10),
		param.Describe("position of the second sensor on the robot, forward of its base"))
	set.String(&c.Secondary.Quantity, "secondary.quantity", param.Describe("name of the quantity that the second sensor measures, in the report"))
	set.String(&c.Secondary.Units, "secondary.units", param.Describe("unit of the readings of the second sensor in the report"))

	set.Group("The model")
	set.String(&c.Model.Kernel, "model.kernel", param.OneOf(gp.KindNames()...),
		param.Describe("kernel, which states how smooth the field is: se (smoothest), matern52, matern32, matern12 (roughest, also called exponential) or rq (smooth, with similarity over long distances); with matern (matern52 and matern32) or auto (all kernels), each fit selects the likeliest, and averages over hyper-parameters, up to 60 samples, include the others; with matern or auto, unless passive is true or sample.stop false, a model with matern12 has half of the weight in the recommended place and in the maps, up to 300 samples"))
	set.Float64(&c.Model.LengthScale, "model.length_scale", param.Unit("m"), param.AtLeast(0),
		param.Describe("correlation length of the field until it is learnt, and the median of its prior; 0: a sixth of the side of a square of the field's area"))

	set.Group("The page, and an outline recorded there")
	c.Web.Declare(set)
	set.String(&c.Teach.File, "outline.file", param.File(),
		param.Describe("GeoJSON file for the outline of a field that a person records by driving the robot along its edge, on the page or with the services ~/record/…; it is used when field.file is empty, and until it exists, the explorer waits for the recording and drives nowhere; empty: no outline can be recorded"))
	set.Float64(&c.Teach.Offset, "outline.offset", param.Unit("m"), param.Range(-100, 100),
		param.Describe("distance of the recorded edge from the robot's base, positive to its left, negative to its right; 0: the robot drives on the edge"))
	set.OnChange(c.Validate)
	return set
}

// Validate returns an error that names a parameter that is out of its range or contradicts another one. It changes nothing. Settings
// without a parameter are checked by the parts that use them, when New makes these.
func (c *Config) Validate() error {
	err := c.Parameters().Check()
	if err == nil {
		err = c.resolved(Spacious(c.Radius)).fits() // without the field any values will do that fit each other
	}
	if err != nil {
		return fmt.Errorf("explorer: %w", err)
	}
	return nil
}

// fits returns an error if values contradict each other.
func (c *Config) fits() error {
	_, badDatum := convert.Datum("field.datum", c.Field.Datum)
	_, _, noLevel := c.Levels()
	_, badAlso := c.Others()
	file, noFile := os.Stat(c.Teach.File)
	samples := c.Mission.Budget.Samples
	switch {
	case c.Frame == "":
		return errors.New("frame_id is empty, want the frame of poses, field and goals")
	case len(c.Home) == 1:
		return errors.New("home has 1 number, want none or x, y")
	case len(c.Home) == 2 && len(c.Field.Datum) == 2 && besideDatum(c.Home, c.Field.Datum):
		return fmt.Errorf("home is [%g, %g], which are longitude and latitude close to field.datum: want x and y in metres, east and north of the datum", c.Home[0], c.Home[1])
	case c.BaseFrame == "":
		return errors.New("pose.base_frame is empty, want the frame of the robot on /tf")
	case !sense.StatesVariance(c.Reading.Type) && c.Reading.StdDev == 0:
		return fmt.Errorf("reading.stddev is 0, but a %s states no variance: set reading.stddev to the standard deviation of one reading, above 0", c.Reading.Type)
	case c.Secondary.Type != "" && !sense.StatesVariance(c.Secondary.Type) && c.Secondary.StdDev == 0:
		return fmt.Errorf("secondary.stddev is 0, but a %s states no variance: set secondary.stddev to the standard deviation of one reading, above 0", c.Secondary.Type)
	case c.Reading.Min >= c.Reading.Max:
		return fmt.Errorf("reading.min is %g and reading.max is %g: set reading.max to a larger value", c.Reading.Min, c.Reading.Max)
	case noFile == nil && file.IsDir():
		return fmt.Errorf("outline.file is %s, a folder: want the name of a file", c.Teach.File)
	case (c.Method == MethodGrid || c.Method == MethodLines) && samples == 0:
		return fmt.Errorf("method is %s and budget.samples is 0, no limit: the grid has as many points as there are samples, "+
			"so set budget.samples to 1 to 100000, or choose another method", c.Method)
	case c.Objective == planner.ObjectiveThreshold && math.IsNaN(c.Threshold):
		return errors.New("objective is threshold, but threshold is not given: set threshold to the value whose contour line is sought, in the unit of the page, or objective to " +
			"maximum, minimum or map")
	case noLevel != nil && c.Objective == planner.ObjectiveThreshold:
		return noLevel
	case c.continuous() && samples > 0 && c.Method != MethodGrid:
		return fmt.Errorf("sample.stop is false and budget.samples is %d: a mission without stops makes one observation of each piece of its path, "+
			"so set budget.samples to 0 and limit budget.distance or budget.time", samples)
	}
	return cmp.Or(badDatum, badAlso, c.validateTeam(), c.Record.Validate(), c.aim().Validate(), c.Web.Validate())
}

// besideDatum reports whether a place is meant in degrees: as metres, its numbers would be those of the datum by chance. A datum of
// about 0 is that of a simulation.
func besideDatum(place, datum []float64) bool {
	const beside, least = 0.5, 1 // degrees: a field is within the one of its datum
	for i, x := range place {
		if math.Abs(x-datum[i]) > beside || math.Abs(datum[i]) < least {
			return false
		}
	}
	return true
}

// MostMates is the largest number of team mates.
const MostMates = 100

func (c *Config) validateTeam() error {
	for i, name := range c.Team {
		if err := names.ValidateFull(name); err != nil {
			return fmt.Errorf("team: %q is not the full name of a node, as /robot2/ugp_explorer is: %w", name, err)
		}
		if slices.Contains(c.Team[:i], name) {
			return fmt.Errorf("team: %s is listed twice", name)
		}
	}
	return nil
}
