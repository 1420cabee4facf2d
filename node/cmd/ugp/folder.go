package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// writable returns an error unless files can be written to a folder, or the folder can be
// created, so that a command fails before hours of simulated time are spent. It leaves
// nothing behind.
func writable(dir string) error {
	if dir == "" {
		return badInput{errors.New("--out is empty: want a folder")}
	}
	for at := dir; ; at = filepath.Dir(at) {
		info, err := os.Stat(at)
		switch {
		case err == nil && !info.IsDir():
			return badInput{fmt.Errorf("--out is %s: %s is a file, not a folder", dir, at)}
		case err == nil:
			return probe(dir, at)
		case errors.Is(err, fs.ErrNotExist) && filepath.Dir(at) != at:
		case filepath.Dir(at) == at: // the root itself cannot be read
			return badInput{fmt.Errorf("--out is %s: %w", dir, err)}
		}
	}
}

// probe creates a folder in the folder at, which is dir or its nearest existing parent,
// and removes it.
func probe(dir, at string) error {
	made, err := os.MkdirTemp(at, ".ugp-*")
	if err != nil {
		return badInput{fmt.Errorf("--out is %s: nothing can be written in %s: %w", dir, at, errors.Unwrap(err))}
	}
	return os.Remove(made)
}
