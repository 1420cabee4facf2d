package main

import "regexp"

// packageNames is what our packages' errors begin with, which tells a programmer
// where to look and others nothing.
var packageNames = regexp.MustCompile(`(^|\s)(?:(?:ekf|explorer|fieldsim|follower|gp|localization|planner|pursuit|replay|report|ros|sim): )+`)

// plain returns an error's text without the names of packages.
func plain(err error) string { return packageNames.ReplaceAllString(err.Error(), "$1") }
