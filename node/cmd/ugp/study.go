// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/simulation"
	"ugp_explorer/sim/experiment"
	"ugp_explorer/sim/experiment/paper"
)

// runFlags are the flags of everything that runs many trials. Each sets the variables in these texts
// where it embeds them.
type runFlags struct {
	Workers int    `group:"run" help:"Number of ${unit} that run in parallel (0: the number of processors)." default:"0" from:"0" to:"1000" placeholder:"N"`
	Out     string `group:"run" help:"Folder for trials.jsonl, results.csv, table.md and ${pictures=the pictures} (${out})." default:"${out}" type:"path" placeholder:"DIR"`
	Resume  bool   `group:"run" help:"${resume=Continue the run in --out: finished trials are not run again; methods and trials can be added.}"`
}

// seedsOf returns the seeds of --trials and --first-seed.
func seedsOf(first int64, trials int) (simulation.Seeds, error) {
	if trials < 2 {
		return simulation.Seeds{}, badInput{fmt.Errorf("--trials is \"%d\": want a whole number from 2, since a single mission has no standard error", trials)}
	}
	return simulation.Seeds{First: first, Count: trials}, nil
}

// checkMethods returns an error unless the methods of --methods exist and none is repeated.
// A name may end in one of the suffixes.
func checkMethods(names []string, suffixes ...string) error {
	for i, name := range names {
		strategy, suffix, with := name, "", false
		if len(suffixes) > 0 {
			strategy, suffix, with = strings.Cut(name, ":")
		}
		if with && !slices.Contains(suffixes, ":"+suffix) {
			return badInput{fmt.Errorf("--methods has %q: the suffix of a method must be %s", name, strings.Join(suffixes, " or "))}
		}
		if err := method("--methods", strategy, paper.Catalogue()); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return badInput{fmt.Errorf("--methods has %q twice", name)}
		}
	}
	if len(names) == 0 {
		return badInput{errors.New("--methods is empty: want names separated by commas")}
	}
	return nil
}

// conclude writes the numbers of a study's results, the text and the pictures that belong to them to --out, and prints
// the text and where is what, a format with the name of the folder.
func conclude[S any, J comparable, R any](t terminal, s *experiment.Study[S, J, R], f *runFlags, started time.Time, results []R, text string, files map[string][]byte, where string) error {
	var csv bytes.Buffer
	if err := s.WriteCSV(&csv, results); err != nil {
		return err
	}
	files["results.csv"], files["table.md"] = csv.Bytes(), []byte(text)
	if err := writeFiles(f.Out, files); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\n"+where+" It took %s.\n", text, f.Out, num.Duration(math.Ceil(t.now().Sub(started).Seconds())))
	return nil
}

// runExperiment runs the jobs of a study that are missing in the log in --out, and concludes with its table and
// its charts.
func runExperiment[S any, J comparable, R any](t terminal, s *experiment.Study[S, J, R], f *runFlags) error {
	if err := writable(f.Out); err != nil {
		return err
	}
	started := t.now()
	results, err := finish(t, s, f, "", s.Unit)
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	addPictures(files, s.Charts(results))
	return conclude(t, s, f, started, results, s.Table(results), files, "The numbers after each sample are in %s/results.csv.")
}

// finish runs the jobs of a study that are missing in its log, shows the progress of what is run, and
// returns all results. The log is in a folder of that name in --out, "" for --out itself.
func finish[S any, J comparable, R any](t terminal, s *experiment.Study[S, J, R], f *runFlags, name, what string) ([]R, error) {
	progress := newProgress(t)
	return finishOr(t, s, f, name, progress, func(done, left int, _ []R) bool {
		if done > 0 {
			line := fmt.Sprintf("%d of %d %s", done, left, what)
			progress.show(done, left, line, line)
		}
		return false
	})
}

// finishOr runs the jobs of a study until after, which shows the progress, says that their results are enough, see
// [experiment.Study.Finish].
func finishOr[S any, J comparable, R any](t terminal, s *experiment.Study[S, J, R], f *runFlags, name string, progress *progress, after func(done, left int, results []R) bool) ([]R, error) {
	folder := filepath.Join(f.Out, name)
	results, err := s.Finish(t.ctx, folder, f.Resume, cmp.Or(f.Workers, runtime.NumCPU()), after)
	progress.finish()
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, badInput{fmt.Errorf("--out is %s, which contains %s of an earlier run: continue it with --resume, or choose another folder", f.Out, s.Unit)}
	case errors.Is(err, experiment.ErrLog):
		return nil, badInput{fmt.Errorf("--resume: %w", err)}
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(t.out, "Interrupted. The finished %s are in %s: --resume continues.\n", s.Unit, filepath.Join(folder, experiment.LogName))
	}
	return results, err
}

// writeFiles writes files into the folder of --out.
func writeFiles(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
	}
	return nil
}
