// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"

	"ugp_explorer/internal/num"
)

// phrases are the words for an attribute of the log, by its key; %s is its value.
var phrases = map[string]string{
	"apart_m":    "%s from each other",
	"edge_m":     "%s to the edge",
	"off_m":      "%s away",
	"robot_m":    "%s for the robot",
	"room_m":     "%s free around it",
	"samples":    "%s samples",
	"sigmas_m":   "%s for the uncertainty of its position",
	"suppressed": "and %s more like it",
	"waited_s":   "after %s",
}

// explains are the keys of attributes that say why, in words of their own.
var explains = []string{"changed", "drive", "error", "problem", "reason", "reasons"}

// Sentence writes a line of the log for people: its message, and its attributes in words, numbers with the digits that matter
// and a unit. It is the only place that does; who logs has keys with units. The attributes have no groups.
func Sentence(message string, attrs []slog.Attr) string {
	text, why := message, []string(nil)
	for i := 0; i < len(attrs); i++ {
		a := attrs[i]
		if prefix, ok := strings.CutSuffix(a.Key, "x_m"); ok && a.Value.Kind() == slog.KindFloat64 && i+1 < len(attrs) && attrs[i+1].Key == prefix+"y_m" {
			text += ", " + strings.TrimSpace(words(prefix)+" at") + fmt.Sprintf(" (%.2f, %.2f) m", a.Value.Float64(), attrs[i+1].Value.Float64())
			i++
			continue
		}
		if slices.Contains(explains, a.Key) {
			why = append(why, a.Value.String())
			continue
		}
		name, value := quantity(a)
		if phrase := phrases[a.Key]; phrase != "" {
			text += ", " + fmt.Sprintf(phrase, value)
		} else {
			text += ", " + strings.TrimSpace(words(name)+" "+value)
		}
	}
	if len(why) > 0 {
		text += ": " + strings.Join(why, "; ")
	}
	return text
}

// words writes a key, or the name of a parameter, in words.
func words(key string) string {
	return strings.TrimSpace(strings.NewReplacer("stddev", "standard deviation", "_", " ", ".", " ").Replace(key))
}

// units are the endings of keys, the longer ones first, and how numbers with them are written.
var units = []struct {
	key   string
	write func(v float64) string
}{
	{"m_s", func(v float64) string { return num.Short(v, 2) + " m/s" }},
	{"m2", func(v float64) string {
		if math.Abs(v) >= 1e4 {
			return num.Short(v/1e4, 3) + " ha"
		}
		return num.Short(v, 3) + " m²"
	}},
	{"rad", func(v float64) string { return fmt.Sprintf("%.0f°", v*180/math.Pi) }},
	{"m", func(v float64) string {
		if math.Abs(v) >= 1000 {
			return num.Short(v/1000, 3) + " km"
		}
		return num.Short(v, 2+min(1, int(math.Abs(v)/100))) + " m"
	}},
	{"s", func(v float64) string {
		if v < 100 {
			return num.Short(v, 2) + " s"
		}
		return num.Duration(v)
	}},
}

// quantity returns the name of an attribute without its unit, and its value with it.
func quantity(a slog.Attr) (name, value string) {
	var v float64
	switch a.Value.Kind() {
	case slog.KindFloat64:
		v = a.Value.Float64()
	case slog.KindInt64:
		v = float64(a.Value.Int64())
	default:
		return a.Key, a.Value.String()
	}
	for _, u := range units {
		if name, ok := strings.CutSuffix("_"+a.Key, "_"+u.key); ok {
			return name, u.write(v)
		}
	}
	if a.Value.Kind() == slog.KindInt64 {
		return a.Key, a.Value.String()
	}
	return a.Key, num.Short(v, 3)
}
