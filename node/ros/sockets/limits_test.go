// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sockets

import (
	"io/fs"
	"path/filepath"
	"testing"
)

func TestLimits(t *testing.T) {
	sizes := map[string]string{"rmem_max": "212992\n", "wmem_max": "much\n"}
	got := Limits(func(file string) ([]byte, error) { return []byte(sizes[filepath.Base(file)]), nil })
	if len(got) != 2 || got[0] != (Limit{Setting: "net.core.rmem_max", Bytes: 212992}) || got[1].Setting != "net.core.wmem_max" || got[1].Err == nil {
		t.Errorf("%+v", got)
	}
	if r := got[0].Remedy(); r != "sysctl -w net.core.rmem_max=4194304" {
		t.Errorf("the remedy is %q", r)
	}
	if got := Limits(func(string) ([]byte, error) { return nil, fs.ErrNotExist }); got != nil {
		t.Errorf("without the kernel's files: %+v", got)
	}
}
