// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"testing"

	"ugp_explorer/msgs"
)

// What the user data of a service's endpoints say of its types.
func TestServiceHashes(t *testing.T) {
	const trigger = "std_srvs/srv/Trigger"
	data := "serviceid=1;" + serviceHashes(trigger, "_Request")
	for key, want := range map[string]string{
		"serviceid": "1", "typehash": msgs.TypeHash("std_srvs/srv/Trigger_Request"), "sertypehash": msgs.TypeHash("std_srvs/srv/Trigger"),
	} {
		if got := userField(data, key); got != want || want == "" {
			t.Errorf("%s=%s in %s, want %s", key, got, data, want)
		}
	}
	if got := serviceHashes("nobodys_srvs/srv/Nothing", "_Request"); got != "" {
		t.Error(got)
	}
}
