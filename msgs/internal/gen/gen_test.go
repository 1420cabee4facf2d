package main

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestGeneratedFilesAreUpToDate(t *testing.T) {
	root := os.DirFS("../..")
	want, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := generated(root)
	if err != nil {
		t.Fatal(err)
	}
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
		"no definition of p/msg/B":           {"definitions/p/msg/A.msg": {Data: []byte("B b\n")}},
		"p/msg/A:1: field name":              {"definitions/p/msg/A.msg": {Data: []byte("int8 B\n")}},
		"service_msgs/msg/ServiceEventInfo":  {"definitions/p/srv/A.srv": {Data: []byte("---\n")}},
		"is not of the form package/msg/Typ": {"definitions/p/idl/A.idl": {Data: []byte("")}},
		"unique_identifier_msgs/msg/UUID":    {"definitions/p/action/A.action": {Data: []byte("---\n---\n")}},
	} {
		if _, err := generate(fs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}
