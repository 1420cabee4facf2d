// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package gdaltest runs the programs of GDAL in tests, which read files independently of
// the code that wrote them. Debian and Ubuntu have them in the package gdal-bin.
package gdaltest

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// Need skips the test if GDAL is not installed.
func Need(t testing.TB) {
	t.Helper()
	for _, program := range []string{"gdalinfo", "gdallocationinfo", "gdaltransform", "ogrinfo", "ogr2ogr"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("GDAL does not read the files: %s is not installed (Debian and Ubuntu: apt-get install gdal-bin)", program)
		}
	}
}

// Run runs a program with the given standard input and returns its standard output. It
// fails the test if the program fails or warns of something.
func Run(t testing.TB, input string, program string, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &problems
	err := c.Run()
	// gdalinfo looks for the ellipsoid of local systems, which have none.
	said := regexp.MustCompile("ERROR 1: PROJ: proj_get_ellipsoid: .*\n").ReplaceAllString(problems.String(), "")
	if err != nil || said != "" {
		t.Fatalf("%s: %v\n%s", c, err, said)
	}
	return out.String()
}

// JSON runs a program and decodes its standard output into dst.
func JSON(t testing.TB, dst any, program string, args ...string) {
	t.Helper()
	out := Run(t, "", program, args...)
	if err := json.Unmarshal([]byte(out), dst); err != nil {
		t.Fatalf("%s %v: %v in\n%s", program, args, err, out)
	}
}
