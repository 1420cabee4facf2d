// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/report"
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

// aside moves files of a folder, as far as they are there, into a new folder in it, and returns its name.
func aside(dir string, names ...string) (folder string, err error) {
	for n := 1; ; n++ {
		folder = filepath.Join(dir, fmt.Sprintf("earlier-%d", n))
		if err = os.Mkdir(folder, 0o777); !errors.Is(err, os.ErrExist) {
			break
		}
	}
	for _, name := range names {
		if moved := os.Rename(filepath.Join(dir, name), filepath.Join(folder, name)); !errors.Is(moved, os.ErrNotExist) {
			err = errors.Join(err, moved)
		}
	}
	return folder, err
}

// unrecorded returns an error if a folder has the journal of a mission, which would be lost with its
// bags. The journal of a mission that may be replaced is none.
func unrecorded(dir string, may func(record.Settings) bool) error {
	found, err := journal.Read(dir)
	if errors.Is(err, os.ErrNotExist) || err == nil && len(found.Runs) > 0 && may(found.Runs[len(found.Runs)-1].Settings) {
		return nil
	}
	return badInput{fmt.Errorf("--out is %s, the folder of a recorded mission, and its %s would be overwritten: choose another folder", dir, record.MissionFile)}
}

// foreign returns an error if a folder has results, but not those of a mission that was simulated or
// replayed.
func foreign(dir string) error {
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	if err == nil && (m.Source != nil || simulated(m.Settings)) {
		return nil
	}
	for _, name := range []string{record.MissionFile, report.PageFile} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return badInput{fmt.Errorf("--out is %s, and its %s, which no simulated mission has written, would be overwritten: choose another folder", dir, name)}
		}
	}
	return nil
}

// simulated reports whether ugp demo or ugp sim have made a mission with these settings: it can be
// had again.
func simulated(s record.Settings) bool {
	_, demo := s[fieldsim.DefaultName]
	e := s[explorer.DefaultName] // of ugp sim, in a process of its own
	return demo || e["existing_mission"] == settings.ExistingReplace && e["use_sim_time"] == true
}
