// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build !fastdds

package process

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		argv []string
		want string
	}{
		"no transport":     {nil, "make ros"},
		"unknown argument": {[]string{"--fast"}, `unknown argument "--fast"`},
		"bad ros argument": {[]string{"--ros-args", "-p"}, "-p"},
		"missing file":     {[]string{"--ros-args", "--params-file", "/no/such.yaml"}, "/no/such.yaml"},
	} {
		var out bytes.Buffer
		program := Program{Name: "node", Parameters: param.NewSet(), Start: func(*ros.Node) error {
			t.Errorf("%s: the node was started", name)
			return nil
		}}
		if code := run(context.Background(), program, c.argv, &out); code != 2 || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: exit code %d, %q; want 2 and %q", name, code, out.String(), c.want)
		}
	}
}
