// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"reflect"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/mission"
)

// No field of a mission's status is lost in the journal.
func TestStatusKeepsAllFields(t *testing.T) {
	var s mission.Status
	n := 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		n++
		switch {
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case v.Kind() == reflect.Array:
			for i := range v.Len() {
				fill(v.Index(i))
			}
		case v.Kind() == reflect.String:
			v.SetString(v.Type().Name() + string(rune('a'+n)))
		case v.Kind() == reflect.Bool:
			v.SetBool(true)
		case v.CanInt():
			v.SetInt(int64(n))
		case v.CanFloat():
			v.SetFloat(float64(n) / 3)
		default:
			t.Fatalf("a %s", v.Type())
		}
	}
	fill(reflect.ValueOf(&s).Elem())
	dir := t.TempDir()
	j := started(t, dir)
	must.OK(t, j.Append(Status{Mission: s}))
	must.OK(t, j.Close())
	got, err := Read(dir)
	must.OK(t, err)
	if got.Mission != s {
		t.Errorf("%+v\nis read as %+v", s, got.Mission)
	}
}
