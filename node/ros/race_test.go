//go:build race

package ros_test

const raceEnabled = true
