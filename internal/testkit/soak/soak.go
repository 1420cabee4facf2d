// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package soak measures a mission that lasts a day: the resources that the nodes' processes use, and the data that the explorer keeps, over
// simulated time.
package soak

import (
	"encoding/csv"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"ugp_explorer/node/record/journal"
)

// Reading is what the process of a node used of the machine at a time.
type Reading struct {
	Time float64 // simulated seconds since the measurement began
	Node string
	Usage
	Goroutines int     // 0: not heard of
	Heap       float64 // MB, of objects; 0: not heard of
}

// Usage is what the operating system knows of a process.
type Usage struct {
	Resident float64 // MB
	Files    int     // open
	Threads  int
	CPU      float64 // s since the process started
}

// Kept is what the explorer had at a time.
type Kept struct {
	Time         float64 // simulated seconds since the measurement began
	Samples      int
	Decision     float64 // duration of the last round of learning and deciding, s of the wall clock
	Journal, Bag float64 // sizes of the journal and of all bags, MB
}

// Restart is a kill of the explorer and the start of another in its folder.
type Restart struct {
	Time    float64 // of the kill, simulated seconds since the measurement began
	Samples int     // before it
	Goal    float64 // s of the wall clock from the start of the process to its first goal; 0: none came
}

// Log is all that was measured.
type Log struct {
	Readings []Reading
	Kept     []Kept
	Restarts []Restart
}

// Sizes returns the sizes of the journal and of the bags in a mission's folder, MB.
func Sizes(folder string) (journalMB, bagMB float64) {
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() { // a bag may be removed meanwhile
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		switch name, _ := filepath.Rel(folder, path); {
		case name == journal.FileName:
			journalMB += float64(info.Size()) / 1e6
		case strings.HasPrefix(name, "bag_"):
			bagMB += float64(info.Size()) / 1e6
		}
		return nil
	})
	return journalMB, bagMB
}

// WriteCSV writes the readings of the processes, and what the explorer kept, one a line.
func (l *Log) WriteCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"time_s", "node", "resident_mb", "open_files", "threads", "cpu_s", "goroutines", "heap_mb"}}
	for _, r := range l.Readings {
		rows = append(rows, []string{
			number(r.Time), r.Node, number(r.Resident), strconv.Itoa(r.Files), strconv.Itoa(r.Threads), number(r.CPU),
			strconv.Itoa(r.Goroutines), number(r.Heap),
		})
	}
	return c.WriteAll(rows)
}

// WriteKeptCSV writes what the explorer had, one time a line.
func (l *Log) WriteKeptCSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"time_s", "samples", "decision_s", "journal_mb", "bags_mb"}}
	for _, k := range l.Kept {
		rows = append(rows, []string{number(k.Time), strconv.Itoa(k.Samples), number(k.Decision), number(k.Journal), number(k.Bag)})
	}
	return c.WriteAll(rows)
}

func number(x float64) string { return fmt.Sprintf("%.6g", x) }

// of returns the readings of a node.
func (l *Log) of(node string) (list []Reading) {
	for _, r := range l.Readings {
		if r.Node == node {
			list = append(list, r)
		}
	}
	return list
}
