// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"errors"
	"fmt"
	"testing"
)

func TestPlain(t *testing.T) {
	err := fmt.Errorf("explorer: %w", errors.Join(
		fmt.Errorf("planner: sim: the field /home/sim: is empty"), errors.New("f.yaml:3: node /ekf: parameter \"explorer: x\" is not there")))
	err = errors.Join(err, errors.New("f.txt: planner: it has no outline: draw one"))
	want := "the field /home/sim: is empty\nf.yaml:3: node /ekf: parameter \"explorer: x\" is not there\nf.txt: it has no outline: draw one"
	if got := Plain(err.Error()); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
