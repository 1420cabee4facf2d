//go:build fastdds

package fastdds

// What the tests of package fastdds_test see of this one.

const (
	Localhost     = localhostRange
	Off           = offRange
	SystemDefault = systemDefault
)
