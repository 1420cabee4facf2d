// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package param

import (
	"fmt"
	"io"
	"os"
	"reflect"
	"unicode"
	"unicode/utf8"
)

// Limits of what parameter files, command lines and other nodes may give.
const (
	// mostFile is the largest parameter file, bytes.
	mostFile = 1 << 20
	// mostString is the longest string, alone or in an array, bytes.
	mostString = 4096
	// mostElements is the largest number of elements of an array.
	mostElements = 10_000
	// mostAsked is the largest number of parameters in one request to a service of parameters.
	mostAsked = 1000
)

// readFile returns the content of a parameter file.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostFile+1))
	if err == nil && len(data) > mostFile {
		err = fmt.Errorf("%s is larger than %d MiB: it is not a parameter file", path, mostFile>>20)
	}
	return data, err
}

// excess says how a value goes beyond the limits that hold for every parameter; "" if it does
// not. Control characters are refused because strings of parameters become names of files,
// lines of logs and cells of tables.
func (v Value) excess() string {
	switch x := v.v.(type) {
	case string:
		return excessOfText(x)
	case []string:
		for i, s := range x[:min(len(x), mostElements)] {
			if why := excessOfText(s); why != "" {
				return fmt.Sprintf("element %d: %s", i, why)
			}
		}
	}
	if list := reflect.ValueOf(v.v); list.IsValid() && list.Kind() == reflect.Slice && list.Len() > mostElements {
		return fmt.Sprintf("the array has %d elements, at most %d are allowed", list.Len(), mostElements)
	}
	return ""
}

func excessOfText(s string) string {
	if len(s) > mostString {
		return fmt.Sprintf("the string has %d bytes, at most %d are allowed", len(s), mostString)
	}
	for i, r := range s {
		if unicode.IsControl(r) && r != '\t' {
			return fmt.Sprintf("the string has the control character %q at byte %d, only the tab is allowed", r, i)
		}
	}
	if !utf8.ValidString(s) {
		return "the string is not valid UTF-8"
	}
	return ""
}
