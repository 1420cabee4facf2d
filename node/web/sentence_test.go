// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"log/slog"
	"math"
	"testing"

	"ugp_explorer/node/web"
)

func TestSentence(t *testing.T) {
	for _, c := range []struct {
		message string
		args    []any
		want    string
	}{
		{"the robot drives", nil, "the robot drives"},
		{"it waits", []any{"x_m", -81.4012, "y_m", -103.86, "edge_m", 2.1123, "sigmas_m", 1.349, "robot_m", 0.8, "suppressed", 3},
			"it waits, at (-81.40, -103.86) m, 2.1 m to the edge, 1.3 m for the uncertainty of its position, 0.8 m for the robot, and 3 more like it"},
		{"given up", []any{"x_m", 124.16028332209648, "y_m", -71.28637001800313, "reason", "it is a pond"}, "given up, at (124.16, -71.29) m: it is a pond"},
		{"moved", []any{"home_x_m", 1.0, "home_y_m", 2.0, "apart_m", 0.123456}, "moved, home at (1.00, 2.00) m, 0.12 m from each other"},
		{"unknown keys", []any{"clock_went_on_s", 4000.4, "leg_m", 1234.5678, "speed_m_s", 0.312345, "field_m2", 23456.7, "yaw_rad", math.Pi / 2, "bytes", 12345},
			"unknown keys, clock went on 1 h 07 min, leg 1.23 km, speed 0.31 m/s, field 2.35 ha, yaw 90°, bytes 12345"},
		{"parameters", []any{"goal.max_leg", 12.3456, "edge_stddev_m", 0.3, "state", "paused", "s", 7.25}, "parameters, goal max leg 12.3, edge standard deviation 0.3 m, state paused, 7.2 s"},
		{"odd numbers", []any{"a_m", math.NaN(), "b", math.Inf(1), "c_m2", 0.0, "d", 1e-5}, "odd numbers, a NaN m, b +Inf, c 0 m², d 0.00001"},
		{"two causes", []any{"error", "one", "n", 5, "problem", "two"}, "two causes, n 5: one; two"},
	} {
		var r slog.Record
		r.Add(c.args...)
		var attrs []slog.Attr
		r.Attrs(func(a slog.Attr) bool { attrs = append(attrs, a); return true })
		if got := web.Sentence(c.message, attrs); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
