// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"ugp_explorer/msgs/all"
)

// fill gives every field of a message a value: lists two elements, or the one that
// ranges may have, and no two numbers the same where they are wide enough.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Slice:
		length := 2
		if strings.HasSuffix(v.Type().Elem().Name(), "Range") {
			length = 1
		}
		v.Set(reflect.MakeSlice(v.Type(), length, length))
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.String:
		v.SetString(strings.Repeat("w", 1+*n%7))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(*n) + 0.5)
	default:
		if v.CanInt() {
			v.SetInt(-int64(*n % 100))
		} else {
			v.SetUint(uint64(*n % 100))
		}
	}
}

// Every type that we know and ROS 2 has goes through rosidl's own code and comes
// back byte for byte.
func TestTypesThroughROS(t *testing.T) {
	tried := map[string]bool{}
	for _, name := range all.Names() {
		if strings.HasPrefix(name, "rmw_dds_common/") {
			continue // with Gids of 24 bytes on Humble, and no node's business
		}
		typ, err := messageOf(name)
		if err != nil {
			t.Logf("not tried: %v", err)
			continue
		}
		for _, filled := range []bool{false, true} {
			m := all.New(name)
			if n := 0; filled {
				fill(reflect.ValueOf(m).Elem(), &n)
			}
			sent := m.AppendCDR(nil)
			msg, err := typ.decode(sent)
			if err != nil {
				t.Errorf("%s, filled %v: %v", name, filled, err)
				continue
			}
			came, err := typ.encode(msg)
			typ.ReleaseMemory(msg)
			if err != nil || !bytes.Equal(came, sent) {
				t.Errorf("%s, filled %v: %v\n% x came back as\n% x", name, filled, err, sent, came)
			}
		}
		tried[name] = true
	}
	for _, name := range []string{"std_msgs/msg/String", "rcl_interfaces/srv/SetParameters_Request", "std_srvs/srv/Trigger_Response"} {
		if !tried[name] {
			t.Errorf("%s was not tried", name)
		}
	}
	t.Logf("%d types", len(tried))
}

func TestTypesThatAreNotThere(t *testing.T) {
	for name, want := range map[string]string{
		"std_msgs/msg/Strin":   "the sourced package std_msgs has no type std_msgs/msg/Strin ",
		"no_such_msgs/msg/One": "needs the package no_such_msgs to be built and sourced: libno_such_msgs__rosidl_typesupport_c.so",
		"std_msgs/String":      `"std_msgs/String" is not of the form`,
	} {
		if _, err := messageOf(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if _, err := serviceOf("std_srvs/srv/Triger"); err == nil || !strings.Contains(err.Error(), "has no type std_srvs/srv/Triger ") {
		t.Errorf("a service that is not there: %v", err)
	}
}
