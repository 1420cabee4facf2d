// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package process

import "regexp"

// packageNames matches the package names with which our errors, and those that they wrap, begin. They help
// programmers and mean nothing to users. Within a sentence these words are English: "it has no outline: draw one".
var packageNames = regexp.MustCompile(`(?m)(^|[:;] )(?:(?:ekf|experiment|explorer|export|fieldsim|follower|geotiff|gp|localization|outline|planner|pursuit|record|recorder|replay|report|ros|sim|surface|guard): )+`)

// Plain returns the text of an error without the names of packages.
func Plain(text string) string { return packageNames.ReplaceAllString(text, "$1") }
