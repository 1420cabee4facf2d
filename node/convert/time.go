package convert

import "ugp_explorer/msgs/builtin_interfaces"

const nanosecondsPerSecond = 1_000_000_000

// Time returns the message of an instant given in nanoseconds since the epoch.
func Time(ns int64) builtin_interfaces.Time {
	sec, rest := ns/nanosecondsPerSecond, ns%nanosecondsPerSecond
	if rest < 0 { // nanosec is unsigned: instants before the epoch borrow a second
		sec--
		rest += nanosecondsPerSecond
	}
	return builtin_interfaces.Time{Sec: int32(sec), Nanosec: uint32(rest)}
}

// Nanoseconds is the inverse of Time.
func Nanoseconds(t builtin_interfaces.Time) int64 {
	return int64(t.Sec)*nanosecondsPerSecond + int64(t.Nanosec)
}

// Seconds returns an instant or a duration in nanoseconds as seconds.
func Seconds(ns int64) float64 { return float64(ns) / nanosecondsPerSecond }

// Duration returns seconds as nanoseconds, rounded to the nearest.
func Duration(seconds float64) int64 {
	if seconds < 0 {
		return int64(seconds*nanosecondsPerSecond - 0.5)
	}
	return int64(seconds*nanosecondsPerSecond + 0.5)
}
