// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/bag/bagwriter"
)

// A bag whose topics, types and frames are hostile cannot steer the terminal of who looks at it.
func TestHostileBag(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "bag")
	w, err := bagwriter.Create(dir, 0)
	must.OK(t, err)
	const topic = "/pose_______________________"
	poses := &bagwriter.Topic{Name: topic, Type: "std_msgs/msg/String"}
	text := append(binary.LittleEndian.AppendUint32([]byte{0, 1, 0, 0}, 2), "a\x00"...)
	for i := range int64(3) {
		must.OK(t, w.Write(poses, 1e9*i, 1e9*i, text))
	}
	must.OK(t, w.Close())
	// Its writer refuses such names, and so they are put in their places afterwards.
	hostile := "/pose\x1b[2J\x1b]0;owned\x07\r\n[FATAL]"[:len(topic)]
	entries, err := os.ReadDir(dir)
	must.OK(t, err)
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		data, err := os.ReadFile(name)
		must.OK(t, err)
		data = []byte(strings.ReplaceAll(string(data), topic, hostile))
		must.OK(t, os.WriteFile(name, data, 0o666))
	}
	must.OK(t, os.Remove(filepath.Join(dir, "metadata.yaml")))
	r := ugp(t, "replay", dir, "--out", filepath.Join(t.TempDir(), "out"))
	if all := r.out + r.err; strings.ContainsAny(all, "\x1b\x07\r") || !strings.Contains(all, `/pose\x1b[2J`) {
		t.Errorf("replay prints %q", all)
	}
}
