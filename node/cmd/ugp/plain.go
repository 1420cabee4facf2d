package main

import "regexp"

// packageNames matches the package names with which our errors begin. They help
// programmers and mean nothing to users.
var packageNames = regexp.MustCompile(`(^|\s)(?:(?:ekf|explorer|fieldsim|follower|gp|localization|outline|planner|pursuit|record|replay|report|ros|sim): )+`)

// plain returns an error's text without the names of packages.
func plain(err error) string { return packageNames.ReplaceAllString(err.Error(), "$1") }
