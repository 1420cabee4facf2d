// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// sounded is a bag of a drive to the east, with a pose and a reading each half second, and on a topic a reading of a second sensor,
// which is ten times x; it states a variance or has no stamp.
func sounded(t *testing.T, topic string, states bool) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bag")
	r := makeBag(t, path, epoch)
	for range 40 {
		r.goes(r.x+1, 0, 0)
		if states {
			r.write(topic, &ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at)}, Value: 10 * r.x, Variance: 1})
		} else {
			r.write(topic, &std_msgs.Float64{Data: 10 * r.x})
		}
	}
	r.close()
	return path
}

// The readings of a second sensor are on the topic that is called so, or on the one that is given; readings of the mission's
// quantity are not looked for there.
func TestSecondSensor(t *testing.T) {
	for _, c := range []struct {
		topic, given string
		reading      string // "": /reading
		states       bool
		stdDev       float64
		found        bool
		note         string
	}{
		{"/secondary", "", "", true, 0, true, ""},
		{"/robot/secondary", "", "", true, 0, true, ""},
		{"/em38", "/em38", "", true, 0, true, ""},
		{"/em38", "", "", true, 0, false, ""},
		{"/secondary", "", "/secondary", true, 0, false, ""},
		{"/secondary", "", "", false, 2, true, ""},
		{"/secondary", "", "", false, 0, false, "the second sensor on /secondary is not used: a Float64 states no variance; set it with -p secondary.stddev:=VALUE"},
	} {
		cfg := quick()
		cfg.Secondary, cfg.Reading, cfg.Explorer.Secondary.StdDev = c.given, c.reading, c.stdDev
		r := run(t, sounded(t, c.topic, c.states), cfg)
		m := r.Explorer().Record()
		if m.Source.Reading != cmp.Or(c.reading, "/reading") || (m.Source.Secondary == c.topic) != c.found || (m.Secondary != nil) != c.found {
			t.Fatalf("%+v: readings on %s, the second sensor on %q: %+v", c, m.Source.Reading, m.Source.Secondary, m.Secondary)
		}
		if notes := strings.Join(m.Source.Notes, "\n"); !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "second sensor") {
			t.Errorf("%+v: notes %s", c, notes)
		}
		if !c.found {
			continue
		}
		if len(m.Secondary.Heard) < 5 {
			t.Errorf("%+v: %d values", c, len(m.Secondary.Heard))
		}
		for _, h := range m.Secondary.Heard {
			if d := h.Value - 10*h.Belief.X; d > 0.1 || d < -0.1 {
				t.Errorf("%+v: the value %g at x = %g", c, h.Value, h.Belief.X)
			}
		}
	}
}

// A mission's second sensor whose topic was not recorded is a note, and what cannot be one an error.
func TestNoSecondSensor(t *testing.T) {
	path := sounded(t, "/em38", false)
	cfg := quick()
	cfg.Explorer.Secondary.Type = "FieldReading"
	r := run(t, path, cfg)
	if m := r.Explorer().Record(); m.Secondary != nil || !strings.Contains(strings.Join(m.Source.Notes, "\n"), "the bag has no topic secondary: --secondary-topic names another one") {
		t.Errorf("%+v, notes %q", m.Secondary, m.Source.Notes)
	}
	for given, want := range map[string]string{
		"/em38":              "secondary.stddev is 0, but a Float64 states no variance: set secondary.stddev to the standard deviation of one reading, above 0; set it with -p secondary.stddev:=VALUE",
		"/reading":           "--secondary-topic is /reading, which has the readings of the mission's quantity",
		"/odometry/filtered": "--secondary-topic is /odometry/filtered of type nav_msgs/msg/Odometry: the types with readings of a second sensor are",
		"/nowhere":           "--secondary-topic is /nowhere: the bag has no such topic; the topics with readings of a second sensor are /em38",
	} {
		cfg := quick()
		cfg.Secondary = given
		if _, err := opened(t, path, &cfg, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", given, err, want)
		}
	}
	src, err := Open(t.Context(), sounded(t, "/secondary", true))
	must.OK(t, err)
	defer src.Close()
	for _, topic := range src.Topics {
		if use := Use(topic); strings.Contains(use, "second sensor (--secondary-topic)") != (topic.Name == "/secondary") {
			t.Errorf("%s is for %q", topic.Name, use)
		}
	}
}
