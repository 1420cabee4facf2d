package sim

import (
	"fmt"
	"math"
)

// named is a configuration field's name and value, for checking.
type named struct {
	name  string
	value float64
}

func checkPositive(config string, fields []named) error {
	for _, f := range fields {
		if !(f.value > 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("sim: %s.%s is %v: must be finite and positive", config, f.name, f.value)
		}
	}
	return nil
}

func checkNotNegative(config string, fields []named) error {
	for _, f := range fields {
		if !(f.value >= 0) || math.IsInf(f.value, 0) {
			return fmt.Errorf("sim: %s.%s is %v: must be finite and not negative", config, f.name, f.value)
		}
	}
	return nil
}

// finite reports whether none of v is NaN or infinite.
func finite(v ...float64) bool {
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// minPeriod is the shortest period of a sensor, far below any real one.
const minPeriod = 1e-3 // s

// maxSeconds bounds durations so that they fit in int64 nanoseconds.
const maxSeconds = 1e9

func checkPeriod(config string, period float64) error {
	if !(period >= minPeriod && period <= maxSeconds) {
		return fmt.Errorf("sim: %s.Period is %v s: must be between %v and %v s", config, period, minPeriod, maxSeconds)
	}
	return nil
}
