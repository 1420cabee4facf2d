//go:build !linux && !darwin

package recorder

// freeBytes reports that the free space is not known.
func freeBytes(string) (free int64, known bool) { return 0, false }
