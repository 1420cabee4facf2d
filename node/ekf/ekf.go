// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"errors"
	"math"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/tf"
	"ugp_explorer/planner/earth"
)

// widestYaw is the largest standard deviation of a yaw that is fused, rad. A larger
// one means that the fix has no heading.
const widestYaw = math.Pi / 2

// EKF is the filter's node. All its methods run on the goroutine of its executor.
type EKF struct {
	node   *ros.Node
	cfg    *Config
	filter *filter.EKF
	fixes  *localization.Checker // checks the covariances of fixes

	origin   *earth.Datum // of the map; nil: not known yet
	noFix    uint64       // messages of a receiver without a fix
	inertial inertial

	filtered    *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	pose        *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	tf          *ros.Publisher[tf2_msgs.TFMessage, *tf2_msgs.TFMessage]
	diagnostics *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
	datum       *ros.Publisher[sensor_msgs.NavSatFix, *sensor_msgs.NavSatFix]
	corrected   *ros.Publisher[std_msgs.Empty, *std_msgs.Empty]
	out         nav_msgs.Odometry
	stamped     geometry_msgs.PoseWithCovarianceStamped
	transform   tf2_msgs.TFMessage

	standing standing
	said     told
	initial  *localization.Pose // initial pose without a stamp, waiting for the first odometry; nil: none

	// The inputs that the node watches, see diagnostics.go.
	watch              *watch.Watch
	wheels, gyro       *watch.Input // odom, imu
	places, satellites source       // fix_pose, fix

	odometryStamps ros.Stamps
	track          track // of the wheels
	rolled         rolled
	matched        matched
	wrongHeading   string // says that measured headings are not used, and why; "" if they are

	// One throttle per input, so that warnings about one do not suppress those about
	// the others.
	odometry, fix, compass, told, output ros.Throttle
}

// New starts the filter on a node whose parameters are bound to cfg. It returns an
// error for an invalid cfg or when an endpoint cannot be opened.
func New(node *ros.Node, cfg *Config) (*EKF, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	fixes, err := localization.NewChecker(cfg.Covariance)
	if err != nil {
		return nil, err
	}
	e := &EKF{node: node, cfg: cfg, fixes: fixes}
	e.inertial.mounting.transforms = tf.New()
	for _, s := range []*ros.Stamps{&e.odometryStamps, &e.inertial.stamps, &e.inertial.headings} {
		*s = node.NewStamps(1)
	}
	rules := cfg.Rules()
	rules.HeadingGiven = cfg.Heading == headingGiven
	rules.HeadingAgain = node.FollowsClock() // in a simulation, when time starts again
	e.filter = filter.New(rules)
	e.said.antenna, e.said.speed, e.said.turn = rules.Antenna, rules.MaxSpeed, rules.MaxTurnRate
	if rules.AntennaStdDev > MeasuredAntenna {
		node.Logger().Info("antenna.x and antenna.y are not set: positions are uncertain by the antenna's place until turns show it", "stddev_m", rules.AntennaStdDev)
	}
	for _, t := range []*ros.Throttle{&e.odometry, &e.fix, &e.compass, &e.told, &e.output} {
		*t = node.NewThrottle(time.Second)
	}
	e.out.Header.FrameID, e.out.ChildFrameID = cfg.MapFrame, cfg.BaseFrame
	e.stamped.Header.FrameID = cfg.MapFrame
	if err := e.connect(); err != nil {
		return nil, err
	}
	if origin, _ := convert.Datum("datum", cfg.Datum); origin != nil { // it was checked
		e.setDatum(*origin)
	}
	return e, nil
}

// Mode returns whether the filter has a pose, and if not, what it waits for.
func (e *EKF) Mode() filter.Mode { return e.filter.Mode() }

// Trouble returns the most urgent problem of the inputs, "" if there is none.
func (e *EKF) Trouble() string { return e.watch.Text() }

// connect opens the topics, and watches the inputs that the filter needs, the most urgent first.
func (e *EKF) connect() error {
	var errs [12]error
	e.filtered, errs[0] = ros.Advertise[nav_msgs.Odometry](e.node, "odometry/filtered", ros.Stream())
	e.pose, errs[1] = ros.Advertise[geometry_msgs.PoseWithCovarianceStamped](e.node, "pose", ros.Stream())
	e.tf, errs[2] = ros.Advertise[tf2_msgs.TFMessage](e.node, "/tf", ros.Stream())
	e.diagnostics, errs[3] = ros.Advertise[diagnostic_msgs.DiagnosticArray](e.node, "/diagnostics", ros.DefaultQoS())
	e.datum, errs[4] = ros.Advertise[sensor_msgs.NavSatFix](e.node, "~/datum", ros.Latched())
	e.corrected, errs[5] = ros.Advertise[std_msgs.Empty](e.node, "~/heading_corrected", ros.DefaultQoS())
	var odom, fix, navSat, imu *ros.Subscription
	odom, errs[6] = ros.Subscribe(e.node, "odom", ros.SensorStream(), e.onOdometry)
	fix, errs[7] = ros.Subscribe(e.node, "fix_pose", ros.SensorStream(), e.onFix)
	navSat, errs[8] = ros.Subscribe(e.node, "fix", ros.SensorStream(), e.onNavSatFix)
	imu, errs[9] = ros.Subscribe(e.node, "imu", ros.SensorStream(), e.onImu)
	_, errs[10] = ros.Subscribe(e.node, "initialpose", ros.DefaultQoS(), e.onInitialPose)
	_, errs[11] = ros.Subscribe(e.node, "/tf_static", ros.Latched().WithDepth(100), e.onStaticTransforms)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	var err error
	if e.watch, err = watch.New(e.node, e.diagnose); err != nil {
		return err
	}
	e.wheels = e.watch.Input(odom, watch.Expect{Name: "odometry", What: "odometry", Offers: watch.Measured})
	e.places.Fixes, e.satellites.Fixes = e.watch.Fixes(fix, navSat, filter.MaxDelay, e.cfg.FixDelay)
	e.gyro = e.watch.Input(imu, watch.Expect{Name: "imu", What: "yaw rates", Age: latestRate, Want: func() watch.Want {
		if imu.Matched() == 0 && imu.Received() == 0 { // a robot without an IMU
			return watch.WantNothing
		}
		return watch.WantMessages
	}})
	e.watch.OneSender(watch.Sensor{What: "odometry", Topics: []*ros.Subscription{odom}},
		watch.Sensor{What: "position fixes", Topics: []*ros.Subscription{fix, navSat}}, watch.Sensor{What: "yaw rates", Topics: []*ros.Subscription{imu}})
	_, err = e.node.NewTimer(time.Second, e.diagnose) // as most ROS nodes do
	return err
}

func (e *EKF) onOdometry(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	stamp := e.node.Stamped(m.Header.Stamp)
	e.wheels.Stamped(stamp)
	// The filter would interpret a stray stamp as a clock that was set back, or as hours without
	// odometry, and start over.
	err := e.odometryStamps.Check(stamp, e.node.Now())
	if err == nil {
		e.match(stamp, m)
	}
	switch {
	case err != nil:
	case e.cfg.Odometry == odomTwist:
		v := filter.Twist{X: m.Twist.Twist.Linear.X, Y: m.Twist.Twist.Linear.Y, Yaw: m.Twist.Twist.Angular.Z}
		if err = e.filter.PredictTwist(stamp, v); err == nil {
			e.track.drive(stamp, v)
		}
	default:
		yaw := 0.0
		if err = e.standing.check(stamp, m); err == nil {
			yaw, err = convert.Yaw(m.Pose.Pose.Orientation)
		}
		if err == nil {
			at := m.Pose.Pose.Position
			if err = e.filter.PredictPose(stamp, at.X, at.Y, yaw); err == nil {
				e.track.add(stamp, complex(at.X, at.Y))
			}
		}
	}
	if err != nil {
		e.wheels.Refused(err)
		if errors.Is(err, filter.ErrTimeReset) { // rare
			e.node.Logger().Warn("the clock of the odometry was set back", "error", err.Error())
			return
		}
		e.odometry.Warn("odometry is not used", "error", err.Error())
		return
	}
	e.inertial.mounting.driven = e.node.Now()
	if e.initial != nil {
		e.initialise(*e.initial)
	}
	e.tell()
	e.publish(m)
}

func (e *EKF) onFix(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	at := &m.Pose.Pose.Position
	stamp, err := e.taken(&e.places, m.Header.Stamp)
	if !e.inFrame("fix_pose", m.Header.FrameID) {
		e.places.Refused(&watch.FrameError{Frame: m.Header.FrameID, Want: e.cfg.MapFrame})
		return
	}
	planar := localization.PlanarCovariance(&m.Pose.Covariance)
	fix := filter.Fix{
		Stamp: stamp, X: at.X, Y: at.Y,
		Cov: [2][2]float64{{planar[0][0], planar[0][1]}, {planar[1][0], planar[1][1]}},
	}
	if !e.fusePosition(&e.places, fix, err) { // if the position is not finite, the heading cannot be trusted either
		return
	}
	if variance := planar[2][2]; variance > 0 && variance < widestYaw*widestYaw {
		yaw, err := convert.Yaw(m.Pose.Pose.Orientation)
		if err != nil {
			e.fix.Warn("the heading of a fix is not used", "error", err.Error())
			return
		}
		e.fusedYaw(e.filter.FuseYaw(stamp+int64(e.places.lag.by()), yaw, variance))
	}
}

// fused logs those results of a measurement that an operator needs to know.
func (e *EKF) fused(innovation filter.Innovation) {
	switch {
	case innovation.Status == filter.FixRejected:
		e.fix.Warn("a fix gets little weight: it differs from the filter's position by more than the covariances explain", "normalised_innovation_squared", innovation.NIS)
	case innovation.Status == filter.FixTooOld && e.advice() != "":
		// The first fix may be older than the first odometry. Without a pose the advice is enough.
	case innovation.Status == filter.FixTooOld:
		e.fix.Warn("a fix is not used: it came too late", "at_most_s", filter.MaxDelay.Seconds())
	case innovation.Status == filter.FixSingular:
		e.fix.Warn("a fix is not used: its covariance and that of the filter are too small to be compared")
	}
	e.tell()
}

func (e *EKF) onInitialPose(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	if !e.inFrame("initialpose", m.Header.FrameID) {
		return
	}
	pose, err := convert.PlanarPose(e.node.Stamped(m.Header.Stamp), &m.Pose)
	if err == nil {
		err = e.byParameter(e.fixes.CheckPose(&pose))
	}
	if err != nil {
		e.told.Error("the initial pose is not used", "error", err.Error())
		return
	}
	e.initialise(pose)
}

// initialise sets the filter's pose. A stamp of 0, from tools that do not know the
// time, means now: the filter's own time, which begins with the odometry.
func (e *EKF) initialise(pose localization.Pose) {
	e.initial = nil
	if pose.Stamp == 0 {
		now, ok := e.filter.Stamp()
		if !ok {
			e.initial = &pose
			return
		}
		pose.Stamp = now
	}
	if err := e.filter.Initialise(pose); err != nil {
		e.told.Error("the initial pose is not used", "error", err.Error())
	}
}

// publish sends the pose at the odometry's stamp and the transform from the map to the
// odometry's frame.
func (e *EKF) publish(odom *nav_msgs.Odometry) {
	pose, err := e.filter.Pose()
	if errors.Is(err, filter.ErrNotInitialised) { // the position of a robot whose heading is not known yet, on pose only
		if position, err := e.filter.Position(); err == nil && e.pose.Matched() > 0 {
			e.stamped.Header.Stamp = e.node.StampOf(position.Stamp)
			convert.PoseWithCovariance(&e.stamped.Pose, position)
			e.report(e.pose.Publish(&e.stamped))
		}
		return
	}
	stamp := e.node.StampOf(pose.Stamp)
	velocity := e.filter.Velocity()
	e.out.Header.Stamp = stamp
	convert.PoseWithCovariance(&e.out.Pose, pose)
	e.out.Twist.Twist.Linear = geometry_msgs.Vector3{X: velocity.X, Y: velocity.Y}
	e.out.Twist.Twist.Angular.Z = velocity.Yaw
	e.report(e.filtered.Publish(&e.out))

	if e.pose.Matched() > 0 {
		e.stamped.Header.Stamp, e.stamped.Pose = stamp, e.out.Pose
		e.report(e.pose.Publish(&e.stamped))
	}
	if e.cfg.PublishTF && e.tf.Matched() > 0 {
		e.publishTransform(pose, odom)
	}
}

// publishTransform sends mapFromOdom = mapFromBase · baseFromOdom.
func (e *EKF) publishTransform(mapFromBase localization.Pose, odom *nav_msgs.Odometry) {
	odomFromBase, err := convert.PlanarPose(mapFromBase.Stamp, &odom.Pose)
	if err != nil {
		e.odometry.Warn("no transform is published", "error", err.Error())
		return
	}
	yaw := mapFromBase.Yaw - odomFromBase.Yaw
	sin, cos := math.Sincos(yaw)
	t := geometry_msgs.TransformStamped{ChildFrameID: odom.Header.FrameID}
	t.Header.Stamp, t.Header.FrameID = odom.Header.Stamp, e.cfg.MapFrame
	t.Transform.Translation = geometry_msgs.Vector3{
		X: mapFromBase.X - cos*odomFromBase.X + sin*odomFromBase.Y,
		Y: mapFromBase.Y - sin*odomFromBase.X - cos*odomFromBase.Y,
	}
	t.Transform.Rotation = convert.Quaternion(yaw)
	e.transform.Transforms = append(e.transform.Transforms[:0], t)
	e.report(e.tf.Publish(&e.transform))
}

func (e *EKF) report(err error) {
	if err != nil {
		e.output.Warn("a message was not published", "error", err.Error())
	}
}

func (e *EKF) inFrame(topic, frame string) bool {
	if frame == e.cfg.MapFrame {
		return true
	}
	e.fix.Warn("a message is in another frame and is not used", "topic", topic, "frame_id", frame, "want", e.cfg.MapFrame)
	return false
}
