package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"

	"ugp_explorer/sim/experiment"
)

// trials is an experiment without a robot: what is to be done, and what is made of
// what came of it.
type trials[J comparable, R any] struct {
	jobs   []J
	of     func(R) J // the job of a result
	do     func(context.Context, J) (R, error)
	csv    func(io.Writer, []R) error
	table  func([]R) string
	charts func([]R) []experiment.Chart
	each   string // what the figures are given of
}

// run does the jobs that the log in the folder out does not have, writes table,
// figures and pictures of all results, and prints the table. header is what the
// trials of a log have in common.
func (s *trials[J, R]) run(t terminal, out string, resume bool, atOnce word, header any) error {
	workers, err := workers(atOnce)
	if err != nil {
		return err
	}
	if err := writable(out); err != nil {
		return err
	}
	log, err := openLog[R](out, resume, header)
	if err != nil {
		return err
	}
	started := t.now()
	results, err := s.finish(t, workers, log)
	if err = errors.Join(err, log.Close()); err != nil {
		interrupted(t, err, out)
		return err
	}
	var csv bytes.Buffer
	if err := s.csv(&csv, results); err != nil {
		return err
	}
	table := s.table(results)
	files := map[string][]byte{"results.csv": csv.Bytes(), "table.md": []byte(table)}
	if err := addPictures(files, s.charts(results)); err != nil {
		return err
	}
	if err := writeFiles(out, files); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\nThe figures of each %s are in %s. It took %s.\n", table, s.each, filepath.Join(out, "results.csv"), clock(math.Ceil(t.now().Sub(started).Seconds())))
	return nil
}

// finish runs the jobs that the log does not have and returns all results.
func (s *trials[J, R]) finish(t terminal, workers int, log *experiment.Log[R]) ([]R, error) {
	had := map[J]bool{}
	for _, r := range log.Done {
		had[s.of(r)] = true
	}
	var left []J
	for _, j := range s.jobs {
		if !had[j] {
			left = append(left, j)
		}
	}
	tell := trialProgress(t, "trials", len(left))
	done, err := experiment.Run(t.ctx, left, workers, s.do, func(_ J, r R) error {
		tell()
		return log.Add(r)
	})
	results := log.Done
	for _, r := range done {
		if r != nil {
			results = append(results, *r)
		}
	}
	return results, err
}
