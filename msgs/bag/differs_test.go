// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/all"
	"ugp_explorer/msgs/nav_msgs"
)

func TestDiffers(t *testing.T) {
	o := (*nav_msgs.Odometry)(nil)
	same := msgs.Definition(o.TypeName())
	topic := func(definition, hash string) *Topic {
		return &Topic{Name: "/odom", Type: o.TypeName(), encoding: "ros2msg", definition: definition, hash: hash}
	}
	foreign := "RIHS01_" + strings.Repeat("7", 64)
	for _, c := range []struct {
		name string
		t    *Topic
		want string // a part of the text
	}{
		{"the same", topic(same, ""), ""},
		{"the same hash", topic("", msgs.TypeHash(o.TypeName())), ""},
		{"nothing known", topic("", ""), ""},
		{"another hash", topic("", foreign), foreign},
		{"no hash, as of a distribution that has none", topic("", "RIHS01_"+strings.Repeat("0", 64)), ""},
		{"another hash but the same fields", topic(same, foreign), ""},
		{"the names as others write them", topic(strings.ReplaceAll(same, "MSG: geometry_msgs/", "MSG: geometry_msgs/msg/"), ""), ""},
		{"comments and constants", topic("# a comment\nint32 A = 3\n"+same, ""), ""},
		{"a field more", topic("int32 more\n"+same, ""), `"int32 more"`},
		{"another type inside", topic(strings.ReplaceAll(same, "float64 x", "float32 x"), ""), "geometry_msgs/Point is"},
		{"a part is missing", topic(same[:strings.LastIndex(same, "=====")-80], ""), "no definition of"},
		{"another language", &Topic{Type: o.TypeName(), encoding: "ros2idl", definition: "module x {}"}, ""},
		{"a type that is not known", &Topic{Type: "a/msg/B", definition: "int32 x"}, ""},
	} {
		if got := differs(c.t); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, name := range all.Names() {
		if got := differs(&Topic{Type: name, definition: msgs.Definition(name)}); got != "" {
			t.Errorf("%s differs from itself: %s", name, got)
		}
	}
}

// A topic with two types, and messages of a type that this program has otherwise, are problems of the bag.
func TestTopicProblems(t *testing.T) {
	topics := []Topic{{Name: "/odom", Type: "nav_msgs/msg/Odometry", encoding: "ros2msg", definition: "int32 x\n"}}
	p := openBag(t, form{inMCAP, chunkZstd, "humble"}.write(t, topics, slices.Values([]sample(nil)), 0)).Info().Problems
	if len(p) != 1 || p[0].Topic != "/odom" || !strings.Contains(p[0].Error(), "other fields") {
		t.Error(p)
	}

	var b bytes.Buffer
	mw, err := mcap.NewWriter(&b, &mcap.WriterOptions{})
	must.OK(t, err)
	err = mw.WriteHeader(&mcap.Header{})
	for i, typ := range []string{"a/msg/A", "a/msg/B", ""} {
		id := uint16(i + 1)
		if typ != "" {
			err = errors.Join(err, mw.WriteSchema(&mcap.Schema{ID: id, Name: typ}))
		} else {
			id = 0
		}
		err = errors.Join(err, mw.WriteChannel(&mcap.Channel{ID: uint16(i + 1), SchemaID: id, Topic: "/x", MessageEncoding: "cdr"}),
			mw.WriteMessage(&mcap.Message{ChannelID: uint16(i + 1), LogTime: uint64(epoch), Data: make([]byte, 4)}))
	}
	path := filepath.Join(t.TempDir(), "x.mcap")
	must.OK(t, errors.Join(err, mw.Close(), os.WriteFile(path, b.Bytes(), 0o666)))
	r := openBag(t, path)
	checkProblems(t, r.Info(), twoTypes, noType)
	if got := read(t, r, Query{Topics: []string{"/x"}}); len(got) != 3 || len(r.Info().Topics) != 3 {
		t.Errorf("%d messages", len(got))
	}
}
