// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package msgs

import (
	"testing"

	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/rmw_dds_common"
)

func TestBounds(t *testing.T) {
	// A descriptor with two integer ranges, where the definition allows one: written field by field, since AppendCDR refuses.
	w := cdr.NewWriter(nil)
	w.String("n", cdr.Unbounded)
	w.Uint8(2)
	w.String("", cdr.Unbounded)
	w.String("", cdr.Unbounded)
	w.Bool(false)
	w.Bool(false)
	w.Length(0, cdr.Unbounded)
	w.Length(2, cdr.Unbounded)
	for range 6 {
		w.Int64(0)
	}
	var d rcl_interfaces.ParameterDescriptor
	const want = "cdr: rcl_interfaces/msg/ParameterDescriptor: at byte 32: sequence of 2, its type allows 1"
	if err := d.UnmarshalCDR(w.Bytes()); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	mustPanic(t, "two ranges", func() {
		d := rcl_interfaces.ParameterDescriptor{IntegerRange: make([]rcl_interfaces.IntegerRange, 2)}
		d.AppendCDR(nil)
	})
	mustPanic(t, "a node name of 257 bytes", func() {
		n := rmw_dds_common.NodeEntitiesInfo{NodeName: string(make([]byte, 257))}
		n.AppendCDR(nil)
	})
	n := rmw_dds_common.NodeEntitiesInfo{NodeName: string(make([]byte, 256))}
	if err := n.UnmarshalCDR(n.AppendCDR(nil)); err != nil {
		t.Errorf("a node name of 256 bytes: %v", err)
	}
}

func mustPanic(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s did not panic", what)
		}
	}()
	f()
}
