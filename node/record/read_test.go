// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

// A record that is too large is refused before it is read; so is a device that never ends.
func TestReadLimits(t *testing.T) {
	large := filepath.Join(t.TempDir(), "mission.json")
	must.OK(t, os.WriteFile(large, nil, 0o666))
	if err := os.Truncate(large, 1<<40); err != nil { // sparse
		t.Fatal(err)
	}
	if _, err := record.ReadMission(large); err == nil || !strings.Contains(err.Error(), large+": it is larger than 256 MiB") {
		t.Errorf("the error of a file of 1 TiB is %v", err)
	}
	if _, err := record.ReadFile("/dev/zero", 1<<20); err == nil || !strings.Contains(err.Error(), "/dev/zero: it is larger than 1 MiB") {
		t.Errorf("the error of a device is %v", err)
	}
	if data, err := record.ReadFile(os.Args[0], record.MostFile); err != nil || len(data) == 0 {
		t.Errorf("%d bytes of the test itself were read: %v", len(data), err)
	}
}
