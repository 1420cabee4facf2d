// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Writable returns the folder dir, or the nearest one above it that exists, and an error unless
// something can be written there. It leaves nothing behind.
func Writable(dir string) (at string, err error) {
	for at = dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return at, fmt.Errorf("%s is a file, not a folder", at)
		case err == nil:
			made, err := os.MkdirTemp(at, ".ugp-*")
			if err != nil {
				return at, fmt.Errorf("nothing can be written in %s: %w", at, errors.Unwrap(err))
			}
			return at, os.Remove(made)
		case filepath.Dir(at) == at: // the root itself cannot be read
			return at, err
		}
	}
}
