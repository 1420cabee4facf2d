package main

import (
	"errors"
	"fmt"

	"ugp_explorer/node/record"
)

// writable returns an error unless files can be written to a folder, or the folder can be
// created, so that a command fails before hours of simulated time are spent. It leaves
// nothing behind.
func writable(dir string) error {
	if dir == "" {
		return badInput{errors.New("--out is empty: want a folder")}
	}
	if _, err := record.Writable(dir); err != nil {
		return badInput{fmt.Errorf("--out is %s: %w", dir, err)}
	}
	return nil
}
