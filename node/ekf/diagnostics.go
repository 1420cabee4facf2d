package ekf

import (
	"log/slog"
	"strconv"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
)

// levelWaiting is the level of what is normal before the first pose.
const levelWaiting = slog.LevelInfo

// diagnose publishes what became of the filter's input.
func (e *EKF) diagnose() {
	if e.diagnostics.Matched() == 0 {
		return
	}
	counts, covariances := e.filter.Counts(), e.fixes.Counts()
	status := diagnostic_msgs.DiagnosticStatus{
		Level:      diagnostic_msgs.DiagnosticStatusOK,
		Name:       e.node.Name() + ": localisation",
		HardwareID: "none",
		Message:    e.filter.Mode().String(),
	}
	if e.filter.Mode() != localization.Running {
		status.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	for _, v := range []struct {
		key   string
		value uint64
	}{
		{"odometry used", counts.Odometry},
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
		{"times the heading was lost", counts.HeadingLost},
	} {
		status.Values = append(status.Values, diagnostic_msgs.KeyValue{Key: v.key, Value: strconv.FormatUint(v.value, 10)})
	}
	var m diagnostic_msgs.DiagnosticArray
	m.Header.Stamp = ros.TimeMsg(e.node.Now())
	m.Status = append(m.Status, status)
	e.report(e.diagnostics.Publish(&m))
}
