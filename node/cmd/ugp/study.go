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
	"slices"
	"strconv"
	"strings"

	"github.com/schollz/progressbar/v3"

	"ugp_explorer/node/simulation"
	"ugp_explorer/sim/experiment"
	"ugp_explorer/sim/experiment/paper"
)

// runFlags are the flags of every experiment. Each experiment sets the variables in these
// texts where it embeds them.
type runFlags struct {
	Trials  word   `group:"run" help:"${trialsHelp} (${trials})." default:"${trials}" placeholder:"N"`
	Workers word   `group:"run" help:"Number of ${unit} that run in parallel (0: the number of processors)." default:"0" placeholder:"N"`
	Out     string `group:"run" help:"Folder for trials.jsonl, results.csv, table.md and the pictures (${out})." default:"${out}" type:"path" placeholder:"DIR"`
	Resume  bool   `group:"run" help:"Continue the run in --out: finished ${unit} are not run again; methods and trials can be added."`
}

// firstFlag is the flag of experiments whose trials have seeds of their own.
type firstFlag struct {
	FirstSeed word `group:"run" help:"First seed of the missions (1)." default:"1" placeholder:"N"`
}

// seeds returns the seeds of a number of trials.
func (f *firstFlag) seeds(trials word, most int64) (s simulation.Seeds, err error) {
	err = whole("--trials", trials, 2, most, &s.Count) // one seed has no standard error
	if err == nil {
		s.First, err = f.FirstSeed.number("--first-seed", 1, most)
	}
	return s, err
}

// seedFlag is the flag of experiments that derive all trials from one seed.
type seedFlag struct {
	Seed word `group:"run" help:"Seed of the trials; the same seed gives the same figures (1)." default:"1" placeholder:"N"`
}

func (f *seedFlag) read(seed *uint64) error {
	n, err := f.Seed.number("--seed", 0, math.MaxInt64)
	*seed = uint64(n)
	return err
}

// whole parses a flag's whole number from lo to hi into n. A flag that is not given leaves
// n unchanged.
func whole(flag string, given word, lo, hi int64, n *int) error {
	if given == "" {
		return nil
	}
	v, err := given.number(flag, lo, hi)
	*n = int(v)
	return err
}

// numbers parses a flag's list of numbers from lo to hi. A flag that is not given leaves
// the list unchanged.
func numbers(flag string, texts []string, lo, hi float64, list *[]float64) error {
	if len(texts) > 0 {
		*list = nil
	}
	for _, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= lo && v <= hi) {
			return badInput{fmt.Errorf("%s has %q: want numbers from %s to %s separated by commas", flag, text, decimal(lo), decimal(hi))}
		}
		*list = append(*list, v)
	}
	return nil
}

// badPlan marks an error about a plan as bad input; nil stays nil.
func badPlan(err error) error {
	if err == nil {
		return nil
	}
	return badInput{err}
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

// runStudy runs the jobs of a study that are missing in the log in --out, writes the
// numbers, the table and the pictures of all results, and prints the table.
func runStudy[S any, J comparable, R any](t terminal, s *experiment.Study[S, J, R], f *runFlags) error {
	workers, err := f.Workers.workers()
	if err = cmp.Or(err, writable(f.Out)); err != nil {
		return err
	}
	started := t.now()
	results, err := finish(t, s, f.Out, "", f.Resume, workers, s.Unit)
	if err != nil {
		return err
	}
	var csv bytes.Buffer
	if err := s.WriteCSV(&csv, results); err != nil {
		return err
	}
	table := s.Table(results)
	files := map[string][]byte{"results.csv": csv.Bytes(), "table.md": []byte(table)}
	if err := addPictures(files, s.Charts(results)); err != nil {
		return err
	}
	if err := writeFiles(f.Out, files); err != nil {
		return err
	}
	fmt.Fprintf(t.out, "\n%s\nThe numbers after each sample are in %s. It took %s.\n", table, filepath.Join(f.Out, "results.csv"), clock(math.Ceil(t.now().Sub(started).Seconds())))
	return nil
}

// finish runs the jobs of a study that are missing in its log, shows the progress of what is run, and
// returns all results. The log is in a folder of that name in --out, "" for --out itself.
func finish[S any, J comparable, R any](t terminal, s *experiment.Study[S, J, R], out, name string, resume bool, workers int, what string) ([]R, error) {
	folder := filepath.Join(out, name)
	results, err := s.Finish(t.ctx, folder, resume, workers, func(left int) func() { return trialProgress(t, what, left) })
	if err != nil {
		return nil, logError(t, err, out, folder, s.Unit)
	}
	return results, nil
}

// logError returns the error of a study whose log is in folder, a folder of --out or --out
// itself, with what to do about it.
func logError(t terminal, err error, out, folder, unit string) error {
	switch {
	case errors.Is(err, fs.ErrExist):
		return badInput{fmt.Errorf("--out is %s, which contains %s of an earlier run: continue it with --resume, or choose another folder", out, unit)}
	case errors.Is(err, experiment.ErrLog):
		return badInput{fmt.Errorf("--resume: %w", err)}
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(t.out, "Interrupted. The finished %s are in %s: --resume continues.\n", unit, filepath.Join(folder, experiment.LogName))
	}
	return err
}

// trialProgress returns a function that the caller calls after each trial. It shows a bar
// with the time left or, without a terminal, a line every few seconds.
func trialProgress(t terminal, what string, trials int) func() {
	if t.isTTY {
		bar := progressbar.NewOptions(trials, progressbar.OptionSetWriter(t.err), progressbar.OptionSetWidth(24),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionSetDescription(what))
		return func() { _ = bar.Add(1) }
	}
	n, started, printed := 0, t.now(), t.now()
	return func() {
		n++
		if now := t.now(); now.Sub(printed) >= linePeriod || n == trials {
			printed = now
			text := ""
			if n < trials {
				text = ", about " + clock(math.Ceil(now.Sub(started).Seconds()/float64(n)*float64(trials-n))) + " left"
			}
			fmt.Fprintf(t.err, "%d of %d %s%s\n", n, trials, what, text)
		}
	}
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
