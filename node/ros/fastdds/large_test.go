//go:build fastdds

package fastdds_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// A string of more than 64 MiB comes through DDS in thousands of fragments; the node refuses it
// before it is decoded, and hears what comes behind it.
func TestLargeMessage(t *testing.T) {
	sender, receiver := join(t), join(t)
	executor, err := exec.NewRealTime(exec.DefaultRealTimeConfig())
	must(t, err)
	var log bytes.Buffer
	node, err := ros.NewNode(receiver, executor, "large", ros.NodeOptions{LogHandler: ros.NewConsole(&log)})
	must(t, err)
	defer func() { must(t, node.Close()) }()
	heard := ""
	s, err := ros.Subscribe(node, "/text", ros.DefaultQoS(), func(m *std_msgs.String, _ ros.MessageInfo) { heard = m.Data })
	must(t, err)
	must(t, sender.AddNode("/sender"))
	w, err := sender.NewWriter(ros.Endpoint{Node: "/sender", Name: "/text", Type: "std_msgs/msg/String", QoS: ros.DefaultQoS()}, ros.Listener{})
	must(t, err)
	eventually(t, "the subscription", func() bool { return w.Matched() > 0 })
	text := func(n int) []byte {
		b := binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, uint32(n+1))
		return append(append(b, bytes.Repeat([]byte("x"), n)...), 0)
	}
	run := func(done func() bool) {
		deadline := time.Now().Add(6 * patience)
		must(t, executor.Run(t.Context(), func() bool { return done() || time.Now().After(deadline) }))
	}
	must(t, w.Publish(text(ros.MostMessage), time.Now().UnixNano()))
	run(func() bool { return s.Malformed() > 0 || heard != "" })
	must(t, w.Publish(text(3), time.Now().UnixNano()))
	run(func() bool { return heard != "" })
	if heard != "xxx" || s.Malformed() != 1 || !strings.Contains(log.String(), "larger than 64 MiB") {
		t.Errorf("%d bytes were heard, %d messages were refused; the log is %.500s", len(heard), s.Malformed(), log.String())
	}
}
