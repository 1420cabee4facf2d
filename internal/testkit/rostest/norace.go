//go:build !race

package rostest

// Race reports whether the race detector is on, which allocates memory.
const Race = false
