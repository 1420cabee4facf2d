// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Study is an experiment: methods that meet under settings S in paired trials. J is a
// job, one trial of one method under one setting, and R its result.
type Study[S any, J comparable, R any] struct {
	Header   any      // first line of the log: what all of its results have in common
	Unit     string   // name of the jobs, in the plural
	Methods  []string // the first is compared with each of the others
	Settings []S      // in the order of the tables
	Trials   int      // number of trials, counted from 1

	// Job returns a job. Methods to which part of a setting means nothing have the same
	// job under several settings.
	Job func(method string, s S, trial int) J

	Turn func(J) int // jobs of a lower turn are done first; nil: all trial by trial

	Of  func(R) J // returns the job of a result
	Run func(context.Context, J) (R, error)

	Columns string            // of results.csv, with commas between them
	Rows    func(R) [][]any   // rows of a result
	Order   func(J) []int     // order of the results in results.csv, the trial last; nil: that of the jobs
	Table   func([]R) string  // table.md
	Charts  func([]R) []Chart // pictures

	Comparison[R]
}

// Jobs returns the jobs trial by trial, so that an interrupted run has whole trials.
func (s *Study[S, J, R]) Jobs() []J {
	var jobs []J
	seen := map[J]bool{}
	for trial := 1; trial <= s.Trials; trial++ {
		for _, setting := range s.Settings {
			for _, method := range s.Methods {
				if j := s.Job(method, setting, trial); !seen[j] {
					seen[j] = true
					jobs = append(jobs, j)
				}
			}
		}
	}
	return jobs
}

// Finish does the jobs on a number of workers, keeps their results in the log of a folder,
// which it makes, and returns them in the order of the jobs. With resume it continues the
// log that is there and does only the jobs that this lacks; the error wraps [ErrLog] when
// the log is another study's. Without, the error wraps [os.ErrExist] when there is a log.
// Finish calls after at first and after each job, never twice at once, with the number of jobs
// done since it began, that of all that were left then, and all results in the order of the jobs;
// when after returns true they are enough, and no more jobs are done. Other errors are as with
// [Run]; the results that there are come with them.
func (s *Study[S, J, R]) Finish(ctx context.Context, folder string, resume bool, workers int, after func(done, left int, results []R) (enough bool)) ([]R, error) {
	log, err := openLog[R](folder, resume, s.Header)
	if err != nil {
		return nil, err
	}
	all, had := s.Jobs(), s.byJob(log.done)
	left := slices.DeleteFunc(slices.Clone(all), func(j J) bool { _, ok := had[j]; return ok })
	if s.Turn != nil {
		slices.SortStableFunc(left, func(a, b J) int { return cmp.Compare(s.Turn(a), s.Turn(b)) })
	}
	done := 0
	if !after(done, len(left), pick(had, all)) {
		_, err = Run(ctx, left, workers, s.Run, func(j J, r R) error {
			if err := log.line(r); err != nil {
				return err
			}
			had[j] = r
			if done++; after(done, len(left), pick(had, all)) {
				return errEnough
			}
			return nil
		})
	}
	return pick(had, all), errors.Join(err, log.file.Close())
}

// Another returns an error that says why the log in a folder is not one that Finish would continue, nil if
// it is one or there is none.
func (s *Study[S, J, R]) Another(folder string) error {
	file, err := os.Open(filepath.Join(folder, LogName))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadBytes('\n')
	if err != nil {
		return err
	}
	return sameHeader(line, s.Header)
}

func (s *Study[S, J, R]) byJob(results []R) map[J]R {
	m := make(map[J]R, len(results))
	for _, r := range results {
		m[s.Of(r)] = r
	}
	return m
}

// pick returns the results of jobs, in their order, without those that are missing.
func pick[J comparable, R any](results map[J]R, jobs []J) []R {
	var list []R
	for _, j := range jobs {
		if r, ok := results[j]; ok {
			list = append(list, r)
		}
	}
	return list
}

// WriteCSV writes the rows of the study's results, whatever the order of results: tidy
// data for any statistics program.
func (s *Study[S, J, R]) WriteCSV(w io.Writer, results []R) error {
	jobs := s.Jobs()
	if s.Order != nil {
		slices.SortStableFunc(jobs, func(a, b J) int { return slices.Compare(s.Order(a), s.Order(b)) })
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, s.Columns)
	for _, r := range pick(s.byJob(results), jobs) {
		for _, row := range s.Rows(r) {
			for i, v := range row {
				if i > 0 {
					fmt.Fprint(b, ",")
				}
				fmt.Fprint(b, v)
			}
			fmt.Fprintln(b)
		}
	}
	return b.Flush()
}

// Group holds the results of a method under a setting, by trial.
type Group[R any] struct {
	Method  string
	Results []R
}

// Groups returns a group for each method, with the results of the trials under a setting
// that every method has.
func (s *Study[S, J, R]) Groups(results []R, setting S) []Group[R] {
	byJob, groups := s.byJob(results), make([]Group[R], len(s.Methods))
	for i, method := range s.Methods {
		groups[i].Method = method
	}
	for trial := 1; trial <= s.Trials; trial++ {
		jobs := make([]J, len(s.Methods))
		for i, method := range s.Methods {
			jobs[i] = s.Job(method, setting, trial)
		}
		if row := pick(byJob, jobs); len(row) == len(groups) {
			for i, r := range row {
				groups[i].Results = append(groups[i].Results, r)
			}
		}
	}
	return groups
}
