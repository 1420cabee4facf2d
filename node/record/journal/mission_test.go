package journal

import (
	"reflect"
	"slices"
	"testing"

	"ugp_explorer/planner/mission"
)

// No field of a mission's state but More, which has lines of its own, is lost in the journal.
func TestMissionKeepsAllFields(t *testing.T) {
	for _, s := range []mission.Status{
		{State: mission.StateFault, FaultKind: mission.FaultUncertain, Drive: mission.DriveDone, Next: mission.NextAsked},
		{State: mission.StateFault, FaultKind: mission.FaultNoPose, Drive: mission.DriveGivenUp, Next: mission.NextNone},
		{State: mission.StateFault},
	} {
		v := reflect.ValueOf(&s).Elem()
		for i := range v.NumField() {
			switch f := v.Field(i); {
			case slices.Contains([]string{"FaultKind", "Drive", "Next"}, v.Type().Field(i).Name):
			case v.Type().Field(i).Name == "Waiting" && s.FaultKind == mission.FaultNoPose:
			case f.Kind() == reflect.String:
				f.SetString(v.Type().Field(i).Name)
			case f.Kind() == reflect.Bool:
				f.SetBool(true)
			case f.CanInt():
				f.SetInt(int64(i + 1))
			case f.CanFloat():
				f.SetFloat(float64(i) + 0.5)
			}
		}
		s.Budget, s.Target = mission.Budget{Samples: 1, Distance: 2, Duration: 3}, [2]float64{4, 5}
		m := MissionOf(s, "")
		if got := m.status(); got != s {
			t.Errorf("%+v\nis read as %+v", s, got)
		}
	}
}
