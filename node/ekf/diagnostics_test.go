// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/diagnostic_msgs"
)

// Each possible use of an input occurs, and the expected counts are kept by hand.
func TestDiagnostics(t *testing.T) {
	d := newDrive(newRig(t, givenNode))
	cov := [3][3]float64{{fixCov[0][0], fixCov[0][1], 0}, {fixCov[1][0], fixCov[1][1], 0}, {0, 0, noHeading}}
	d.runTo(epoch + step)
	d.fixes = false
	d.runTo(epoch + int64(1100*time.Millisecond))
	if len(d.diagnostics) != 1 {
		t.Fatalf("%d messages in 1.1 s with a period of 1 s", len(d.diagnostics))
	}
	first := d.diagnostics[0]
	if first.stamp != epoch+int64(time.Second) {
		t.Errorf("stamp %d, want a second after the start", first.stamp)
	}
	if first.status.Level != diagnostic_msgs.DiagnosticStatusWarn || first.status.Name != "ekf: localisation" || !strings.HasPrefix(first.status.Message, "the heading is known, but not the position") {
		t.Errorf("status %+v, want a warning from ekf: localisation that says what to do", first.status)
	}
	for key, v := range first.values {
		if v != "0" && v != "none" && !(key == "wheels" && v == "used") {
			t.Errorf("%s is %s before anything came", key, v)
		}
	}

	want := map[string]uint64{}
	stamp := d.ex.Now()
	odom := func(v float64) {
		stamp += step
		d.runTo(stamp)
		send(d.rig, d.odom, odometry(stamp, 0, 0, 0, v, 0))
	}
	fix := func(at int64, x, y float64) {
		c := cov
		send(d.rig, d.fix, poseMessage(at, x, y, 0, c))
	}
	odom(0) // the first message: no step yet
	fix(stamp, 10, 20)
	for range 30 {
		odom(0)
		want["odometry used"]++
	}
	for range 5 {
		fix(stamp, 10, 20)
		want["fixes accepted"]++
		odom(0)
		want["odometry used"]++
	}
	for range filter.MaxRejections { // for 10 s
		for range int(time.Second / time.Duration(step)) {
			odom(0)
			want["odometry used"]++
		}
		fix(stamp, 500, 20)
		want["fixes rejected by the gate"]++
	}
	for range int(time.Second / time.Duration(step)) {
		odom(0)
		want["odometry used"]++
	}
	fix(stamp, 500, 20) // one more in a row: the filter is wrong
	want["fixes forced after rejections"]++
	want["fixes accepted"]++
	for range 2 {
		fix(stamp-int64(filter.MaxDelay)-int64(step), 500, 20)
		want["fixes too old"]++
	}
	bad := poseMessage(stamp, 500, 20, 0, [3][3]float64{{math.NaN(), 0, 0}, {0, 1, 0}, {0, 0, 1}})
	for range 4 {
		send(d.rig, d.fix, bad)
		want["fixes with refused covariance"]++
	}
	for range 8 {
		fix(stamp, math.NaN(), 20)
		want["fixes not finite"]++
	}
	for range 6 {
		send(d.rig, d.odom, odometry(stamp-step/2, 0, 0, 0, 0, 0))
		want["odometry stale"]++
	}
	for range 7 {
		odom(99)
		want["odometry implausible"]++
	}
	d.check(want, diagnostic_msgs.DiagnosticStatusOK, "running")

	stamp = d.ex.Now() + int64(1500*time.Millisecond)
	odom(0) // after more than a second of silence the heading is unknown
	want["odometry used"]++
	want["odometry gaps"]++
	want["times the heading was lost"]++
	d.check(want, diagnostic_msgs.DiagnosticStatusWarn, waiting)

	for k := range int64(11) { // a bag that begins again
		send(d.rig, d.odom, odometry(stamp-int64(10*time.Second)+k*int64(100*time.Millisecond), 0, 0, 0, 0, 0))
	}
	want["odometry stale"] += 10
	want["times that time was set back"]++
	d.mustLog("the filter starts over")
	d.check(want, diagnostic_msgs.DiagnosticStatusWarn, waiting)
}

// waiting is what the filter says before it has a fix, when the heading comes from driving.
const waiting = "neither position nor heading is known: wait for a position fix, then drive straight ahead; or send /initialpose"

// sources are the keys of what is told in words.
var sources = []string{"wheels", "gyroscope", "position", "heading"}

// check waits for the next diagnostics and compares them.
func (d *drive) check(want map[string]uint64, level uint8, message string) {
	d.t.Helper()
	n := len(d.diagnostics)
	for range time.Second / time.Duration(step) {
		if d.runTo(d.ex.Now() + step); len(d.diagnostics) > n {
			break
		}
	}
	if len(d.diagnostics) == n {
		d.t.Fatal("no diagnostics in a second")
	}
	got := d.diagnostics[len(d.diagnostics)-1] // what has changed is told at once, too
	if got.status.Level != level || got.status.Message != message {
		d.t.Errorf("level %d, %q; want %d, %q", got.status.Level, got.status.Message, level, message)
	}
	for key, n := range want {
		if got.values[key] != strconv.FormatUint(n, 10) {
			d.t.Errorf("%s: %q, want %d", key, got.values[key], n)
		}
	}
	for key, v := range got.values {
		if _, ok := want[key]; !ok && v != "0" && !slices.Contains(sources, key) {
			d.t.Errorf("%s: %s, want 0", key, v)
		}
	}
}
