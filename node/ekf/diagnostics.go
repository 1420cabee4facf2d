package ekf

import (
	"strconv"
	"time"

	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// subscriptions holds the inputs that the filter needs.
type subscriptions struct{ odom, fix, navSat, imu *ros.Subscription }

// diagnosticsPeriod is the interval between two messages on /diagnostics, that of most ROS nodes.
const diagnosticsPeriod = time.Second

// startDiagnostics starts watching the inputs that the filter needs, the most urgent
// first, and publishing the diagnostics.
func (e *EKF) startDiagnostics() (err error) {
	if e.watch, err = watch.New(e.node, e.diagnose); err != nil {
		return err
	}
	e.wheels = e.watch.Input(e.inputs.odom, watch.Expect{Name: "odometry", What: "odometry"})
	e.places, e.satellites = e.watch.Fixes(e.inputs.fix, e.inputs.navSat, filter.MaxDelay)
	e.gyro = e.watch.Input(e.inputs.imu, watch.Expect{Name: "imu", What: "yaw rates", Age: filter.MaxDelay, Want: func() watch.Want {
		if e.inputs.imu.Matched() == 0 && e.inputs.imu.Received() == 0 { // a robot without an IMU
			return watch.WantNothing
		}
		return watch.WantMessages
	}})
	_, err = e.node.NewTimer(diagnosticsPeriod, e.diagnose)
	return err
}

// diagnose publishes the state of each source, and the counts of used and refused inputs.
func (e *EKF) diagnose() {
	if e.diagnostics.Matched() == 0 {
		return
	}
	counts, covariances := e.filter.Counts(), e.fixes.Counts()
	status := diagnostic_msgs.DiagnosticStatus{
		Level:      diagnostic_msgs.DiagnosticStatusOK,
		Name:       e.node.Name() + ": localisation",
		HardwareID: "none",
	}
	text, well := e.condition()
	if status.Message = text; !well {
		status.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	for _, s := range e.filter.Sources() {
		status.Values = append(status.Values, diagnostic_msgs.KeyValue{Key: s.Name, Value: s.Status})
	}
	for _, v := range []struct {
		key   string
		value uint64
	}{
		{"odometry used", counts.Odometry},
		{"odometry delayed", counts.OdometryDelayed},
		{"odometry stale", counts.OdometryStale},
		{"odometry implausible", counts.OdometryImplausible},
		{"odometry gaps", counts.OdometryGaps},
		{"times that time was set back", counts.Resets},
		{"fixes accepted", counts.Accepted},
		{"fixes rejected by the gate", counts.Rejected},
		{"fixes forced after rejections", counts.Forced},
		{"fixes too old", counts.FixesTooOld},
		{"fixes that odometry never reached", counts.FixesOverflow},
		{"fixes not finite", counts.FixesInvalid},
		{"fixes with a singular innovation", counts.Singular},
		{"fixes with refused covariance", covariances.Refused},
		{"messages of a receiver without a fix", e.receiver.noFix},
		{"yaw rates used", counts.Gyro},
		{"yaw rates refused", counts.GyroRefused},
		{"times the heading was lost", counts.HeadingLost},
		{"times the heading was corrected", counts.Turned},
		{"times fixes and wheels moved differently far", counts.Slips},
	} {
		status.Values = append(status.Values, diagnostic_msgs.KeyValue{Key: v.key, Value: strconv.FormatUint(v.value, 10)})
	}
	var m diagnostic_msgs.DiagnosticArray
	m.Header.Stamp = ros.TimeMsg(e.node.Now())
	m.Status = append(append(m.Status, status), e.watch.Diagnostics()...)
	e.report(e.diagnostics.Publish(&m))
}
