// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/cmplx"
	"os"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/guard"
)

// inputs are the subscriptions that are watched.
type inputs struct {
	odom, fix, navSat  *ros.Subscription
	wheels             *watch.Input // nil without a fence, like places.Input and satellites.Input
	places, satellites watch.Fixes
	twist              twist
	crowd              func() string // says that several nodes send messages that are treated as those of one sensor; nil without a fence
}

// twist is the velocity of odometry. Some publishers, for example of odometry from a lidar, fill in only the pose: then the velocity is that
// from the last pose to this one.
type twist struct {
	stated bool  // the publisher fills it in
	stamp  int64 // of the last message, ns; 0: none yet
	at     complex128
	yaw    float64
}

// of returns the velocity forward and to the left, m/s, and the yaw rate, rad/s.
func (t *twist) of(stamp int64, m *nav_msgs.Odometry) (forward, left, rate float64) {
	v := &m.Twist.Twist
	forward, left, rate = v.Linear.X, v.Linear.Y, v.Angular.Z
	t.stated = t.stated || forward != 0 || left != 0 || rate != 0
	yaw, err := convert.Yaw(m.Pose.Pose.Orientation)
	if t.stated || err != nil {
		return forward, left, rate
	}
	at := complex(m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y)
	if dt := time.Duration(stamp - t.stamp).Seconds(); t.stamp != 0 && dt > 0 && dt < longestStep {
		turned := math.Remainder(yaw-t.yaw, 2*math.Pi)
		moved := (at - t.at) * cmplx.Rect(1/dt, -t.yaw-turned/2)
		forward, left, rate = real(moved), imag(moved), turned/dt
	}
	t.stamp, t.at, t.yaw = stamp, at, yaw
	return forward, left, rate
}

// longestStep is the longest time between two poses of which a velocity is made, s.
const longestStep = 2.0

// outline is the state of the file with the outline.
type outline struct {
	changed time.Time // when the file was changed that was read last
	problem string    // "" if it was read
	broken  bool      // it exists, and cannot be used
}

// changed returns when the file with the outline was changed; zero: it does not exist.
func (c *Config) changed() (time.Time, error) {
	name, _ := record.SplitName(c.File) // of several fields one is named
	file, err := os.Stat(name)
	if err != nil {
		return time.Time{}, err
	}
	return file.ModTime(), nil
}

// Enclose makes the fence from the configured outline, or changes the present fence: what is known about the robot's position stays. If the
// file does not exist yet, the guard waits for it: a person records it by driving along the edge.
func (g *Guard) Enclose() error {
	edges := g.cfg.Outline
	if len(edges.Boundary) == 0 {
		if g.cfg.File == "" {
			return nil
		}
		o := &g.outline
		var err error
		if o.changed, err = g.cfg.changed(); err == nil {
			edges, err = convert.ReadBoundary(g.cfg.File, g.cfg.FieldDatum)
		}
		switch o.broken = err != nil && !errors.Is(err, fs.ErrNotExist); {
		case err == nil:
			o.problem = ""
		case !o.broken:
			o.problem = "field.file " + g.cfg.File + " does not exist: record it, or correct field.file"
		default:
			o.problem = fmt.Sprintf("field.file cannot be used: %v: correct it", err)
		}
		if err != nil {
			kept := "the robot is not kept inside a field"
			if g.fence != nil {
				kept = "the outline read before stays in force"
			}
			o.problem += "; " + kept
			if !o.broken {
				return nil
			}
			return fmt.Errorf("guard: field.file: %w", err)
		}
	}
	distance, err := field.SignedDistance(edges)
	if err != nil {
		return fmt.Errorf("guard: field.file: %w", err)
	}
	cfg := guard.Config{
		Allowance: g.cfg.Allowance - 2*edges.StdDev, // the edges are not known more accurately
		Antenna:   orb.Point{g.cfg.AntennaX, g.cfg.AntennaY},
	}
	if g.fence == nil {
		g.fence = guard.New(distance, cfg)
	} else {
		g.fence.Enclose(distance, cfg)
	}
	return nil
}

// watchFile reads the file with the outline when it has appeared, changed or gone.
func (g *Guard) watchFile() {
	if changed, _ := g.cfg.changed(); changed.Equal(g.outline.changed) {
		return
	}
	if err := g.Enclose(); err != nil {
		g.report.told.Error("the outline cannot be used", "error", err.Error())
	} else if g.outline.problem == "" {
		g.node.Logger().Info("the robot is kept inside its field", "field.file", g.cfg.File)
	}
}

// listen subscribes to what the guard believes.
func (g *Guard) listen() error {
	g.orders.late = g.node.NewGrace(grace)
	var errs [8]error
	g.in.odom, errs[0] = ros.Subscribe(g.node, "odom", ros.SensorStream(), g.onOdometry)
	g.in.fix, errs[1] = ros.Subscribe(g.node, "fix_pose", ros.SensorStream(), g.onFix)
	g.in.navSat, errs[2] = ros.Subscribe(g.node, "fix", ros.SensorStream(), g.onNavSatFix)
	_, errs[3] = ros.Subscribe(g.node, "imu", ros.SensorStream(), g.onImu)
	_, errs[4] = ros.Subscribe(g.node, "ekf/datum", ros.Latched(), g.onDatum)
	_, errs[5] = ros.Subscribe(g.node, "ugp_explorer/status", ros.Latched(), g.onStatus)
	_, errs[6] = ros.Subscribe(g.node, "~/override", ros.DefaultQoS(), g.onOverride)
	if g.cfg.File != "" && len(g.cfg.Outline.Boundary) == 0 {
		_, errs[7] = g.node.NewTimer(time.Second, g.watchFile)
	}
	return errors.Join(errs[:]...)
}

func (g *Guard) onOverride(m *std_msgs.Bool, _ ros.MessageInfo) {
	if g.person = 0; m.Data {
		g.person = g.node.Now() + int64(letGo)
		if g.fence != nil {
			g.fence.Reset()
		}
		g.judge(speed(&g.asked)) // nothing may request a motion before the guard reports that it no longer stops the robot
	}
}

// onDatum takes the origin of the filter's map, if no parameter has told one. The first one counts: a filter that is started again may have
// another.
func (g *Guard) onDatum(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
	if g.origin == nil {
		g.origin = &earth.Datum{Lon: m.Longitude, Lat: m.Latitude}
		return
	}
	if x, y, err := g.origin.Plane(m.Longitude, m.Latitude); err != nil || math.Hypot(x, y) > sameOrigin {
		g.node.Logger().Warn("the filter's map has another origin than the guard's, so an outline in metres lies elsewhere for the guard than for the robot: set the same datum for both, "+
			"or start the guard again after the filter", "guard_lon_lat_deg", fmt.Sprintf("%.7f %.7f", g.origin.Lon, g.origin.Lat), "filter_lon_lat_deg", fmt.Sprintf("%.7f %.7f", m.Longitude, m.Latitude))
	}
}

// sameOrigin is the largest distance between two origins of one map, m: of digits that were cut off.
const sameOrigin = 0.1

// watchInputs reports inputs that are missing.
func (g *Guard) watchInputs() {
	in, w := &g.in, g.report.watch
	in.wheels = w.Input(in.odom, watch.Expect{Name: "odometry", What: "wheel odometry", Offers: watch.Measured})
	in.places, in.satellites = w.Fixes(in.fix, in.navSat, 0, g.cfg.FixDelay)
	in.crowd = w.OneSender(watch.Sensor{What: "position fixes", Topics: []*ros.Subscription{in.fix, in.navSat}},
		watch.Sensor{What: "wheel odometry", Topics: []*ros.Subscription{in.odom}})
}

func (g *Guard) onOdometry(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	if g.fence == nil {
		return
	}
	forward, left, rate := g.in.twist.of(cmp.Or(g.node.Stamped(m.Header.Stamp), g.node.Now()), m)
	if err := g.fence.Odometry(g.node.Now(), forward, left, rate); err != nil {
		g.in.wheels.Refused(err)
		g.warn.Warn("the robot is stopped: odometry is refused", "reason", err)
		return
	}
	g.obedience.hear(g.node.Now(), forward, rate, g.orders.drives(g.node.Now()))
}

// onImu takes a yaw rate. Without any, turns are measured by the wheels alone.
func (g *Guard) onImu(m *sensor_msgs.Imu, _ ros.MessageInfo) {
	if g.fence == nil {
		return
	}
	rates, _, err := convert.ImuRates(m)
	if errors.Is(err, convert.ErrNoYawRate) { // it has a heading only
		return
	}
	if err == nil {
		err = g.fence.Gyroscope(g.node.Now(), rates[2])
	}
	if err != nil {
		g.warn.Warn("a yaw rate of the IMU is not used", "reason", err)
	}
}

func (g *Guard) onFix(m *geometry_msgs.PoseWithCovarianceStamped, _ ros.MessageInfo) {
	if g.fence == nil {
		return
	}
	if m.Header.FrameID != g.cfg.MapFrame {
		g.in.places.Refused(&watch.FrameError{Frame: m.Header.FrameID, Want: g.cfg.MapFrame})
		return
	}
	c := localization.PlanarCovariance(&m.Pose.Covariance)
	p := m.Pose.Pose.Position
	g.fix(&g.in.places, m.Header.Stamp, orb.Point{p.X, p.Y}, [2][2]float64{{c[0][0], c[0][1]}, {c[1][0], c[1][1]}})
}

func (g *Guard) onNavSatFix(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
	if g.fence == nil {
		return
	}
	lon, lat, cov, err := convert.SatellitePosition(m)
	if err == nil && g.origin == nil {
		err = errors.New("the map's origin is unknown: set datum")
	}
	var at orb.Point
	if err == nil {
		at[0], at[1], err = g.origin.Plane(lon, lat)
	}
	if err != nil {
		g.in.satellites.Refused(err)
		return
	}
	if m.Status.Status == sensor_msgs.NavSatStatusStatusGbasFix {
		for i := range cov {
			if v := cov[i][i]; v > fixedStdDev*fixedStdDev {
				cov[i][i] = max(v, guard.FloatStdDev*guard.FloatStdDev)
			}
		}
	}
	g.fix(&g.in.satellites, m.Header.Stamp, at, cov)
}

// fix hands a position in the map to the fence.
func (g *Guard) fix(in *watch.Fixes, stamp builtin_interfaces.Time, at orb.Point, cov [2][2]float64) {
	now := g.node.Now()
	taken, err := in.Stamps.Take(stamp)
	if taken == 0 {
		taken, err = now, nil
	} else {
		in.Stamped(taken)
	}
	stdDev, _, _ := localization.Covariance{XX: cov[0][0], XY: cov[0][1], YY: cov[1][1]}.Axes()
	if cov == ([2][2]float64{}) || math.IsNaN(stdDev) {
		stdDev = g.cfg.FixStdDev
	}
	switch {
	case err != nil:
	case stdDev == 0:
		err = errors.New("its covariance is all zeros, NaN or of unknown type; to use it, set fix_stddev to the true standard deviation of a fix in metres")
	case cov[0][0] < 0 || cov[1][1] < 0:
		err = fmt.Errorf("its covariance has the invalid variances %g and %g m²", cov[0][0], cov[1][1])
	default:
		first := math.IsInf(g.clearance(), 0)
		if err = g.fence.Fix(now, taken, at, stdDev); first && err == nil {
			g.publish() // a mission that starts now must know what the guard needs
		}
	}
	if err != nil {
		in.Refused(err)
	}
}

// orders is the last state of the mission that was received.
type orders struct {
	state string // "": no status was received
	at    int64
	late  ros.Grace
}

// fixedStdDev is the largest standard deviation that a receiver with fixed ambiguities states, m. A larger one, with corrections of the
// carrier phase, is a float solution.
const fixedStdDev = 0.03

// gone is the time without a status after which the explorer is gone. It sends one a second.
const gone = 3 * time.Second

// hold returns why the explorer does not want the robot to move, as the reason of a GuardStatus, or "".
func (o *orders) hold(now int64) string {
	switch o.state {
	case "":
		return ""
	case ugp_explorer_msgs.MissionStatusStatePaused, ugp_explorer_msgs.MissionStatusStateFault, ugp_explorer_msgs.MissionStatusStateDone:
		return ugp_explorer_msgs.GuardStatusReasonMission
	}
	if age := time.Duration(now - o.at); age > gone && !o.late.Lasts() {
		return ugp_explorer_msgs.GuardStatusReasonExplorer
	}
	return ""
}

// underWay reports whether a mission drives the robot.
func (o *orders) underWay() bool {
	return o.state != "" && o.state != ugp_explorer_msgs.MissionStatusStateIdle
}

// drives reports whether a mission moves the robot now, or lets it stand.
func (o *orders) drives(now int64) bool {
	return o.underWay() && o.state != ugp_explorer_msgs.MissionStatusStatePassive && o.hold(now) == ""
}

func (g *Guard) onStatus(m *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) {
	g.orders.state, g.orders.at = m.State, g.node.Now()
	g.orders.late.Came()
	if g.moving && g.orders.hold(g.orders.at) != "" {
		g.pass()
	}
}
