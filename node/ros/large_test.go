// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
)

// Messages that are too large, or state more than they hold, are refused before they take memory,
// and the log says so.
func TestHostileMessages(t *testing.T) {
	var console bytes.Buffer
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{LogHandler: ros.NewConsole(&console)})
	var got []string
	s := rostest.Hear(t, n, "text", ros.DefaultQoS(), func(m *std_msgs.String) { got = append(got, m.Data) })
	w, err := ros.AdvertiseRaw(n, "text", "std_msgs/msg/String", "", ros.DefaultQoS())
	must.OK(t, err)
	text := func(stated int, bytes int) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, uint32(stated))
		return append(b, make([]byte, bytes)...)
	}
	for name, c := range map[string]struct {
		cdr  []byte
		want string
	}{
		"too large":            {text(ros.MostMessage, ros.MostMessage), "it is larger than 64 MiB"},
		"states more than all": {text(0xffffffff, 1), "string needs 4294967295 bytes"},
		"states a bit more":    {text(9, 8), "string needs 9 bytes"},
		"no string":            {[]byte{0, 1, 0, 0}, "string length needs 4 bytes"},
		"nothing":              {nil, "encapsulation header needs 4 bytes"},
	} {
		console.Reset()
		if err := w.Publish(c.cdr, ex.Now()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := ex.RunTo(t.Context(), ex.Now()+2e9); err != nil { // the log is told once a second
			t.Fatal(err)
		}
		if log := console.String(); !strings.Contains(log, c.want) {
			t.Errorf("%s: the log is %q, want %q in it", name, log, c.want)
		}
	}
	if s.Malformed() != 5 || len(got) != 0 {
		t.Errorf("%d messages were refused and %d taken, want 5 and none", s.Malformed(), len(got))
	}
}
