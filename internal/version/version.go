// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package version has the version and the copyright of this software.
package version

import "runtime/debug"

// Header begins each source file, here of Go.
const Header = "// Copyright 2026 the authors of ugp_explorer\n// SPDX-License-Identifier: Apache-2.0\n\n"

// Text describes a program: its version, the commit that it was built from, if the build knows it, and the compiler.
func Text(program string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return text(program, info)
}

func text(program string, info *debug.BuildInfo) string {
	text := program + " " + Number + " of ugp_explorer"
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += ", commit " + s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			text += " with changes"
		}
	}
	if info.GoVersion != "" {
		text += ", " + info.GoVersion
	}
	return text
}
