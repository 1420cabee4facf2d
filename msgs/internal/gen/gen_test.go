// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/internal/testkit/must"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	root := os.DirFS("../..")
	want, err := generate(root)
	must.OK(t, err)
	got, err := generated(root)
	must.OK(t, err)
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: no definition gives this file", name)
		}
	}
	for name, text := range want {
		if d := cmp.Diff(text, got[name]); d != "" {
			t.Errorf("%s is out of date, run go generate ./msgs (-want +got)\n%s", name, d)
		}
	}
}

func TestGenerateRefuses(t *testing.T) {
	for want, fs := range map[string]fstest.MapFS{
		"no definition of p/msg/B":                  {"definitions/p/msg/A.msg": {Data: []byte("B b\n")}},
		`p/msg/A:2: "int8 B" is neither a field`:    {"definitions/p/msg/A.msg": {Data: []byte("# A\nint8 B\n")}},
		`"int8[x]" is not a type`:                   {"definitions/p/msg/A.msg": {Data: []byte("int8[x] b\n")}},
		"p/msg/B: p/msg/A contains itself":          {"definitions/p/msg/A.msg": {Data: []byte("B b\n")}, "definitions/p/msg/B.msg": {Data: []byte("A[] a\n")}},
		"service_msgs/msg/ServiceEventInfo":         {"definitions/p/srv/A.srv": {Data: []byte("---\n")}},
		"has 1 lines of ---, want 2":                {"definitions/p/action/A.action": {Data: []byte("---\n")}},
		"interfaces are in folders msg":             {"definitions/p/idl/A.idl": {Data: []byte("")}},
		"no definition of unique_identifier_msgs/m": {"definitions/p/action/A.action": {Data: []byte("---\n---\n")}},
	} {
		if _, err := generate(fs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}
