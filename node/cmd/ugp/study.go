package main

import (
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

	"github.com/schollz/progressbar/v3"

	"ugp_explorer/planner"
	"ugp_explorer/sim/experiment"
)

// workers reads --workers: 0 is as many as there are processors.
func workers(flag word) (int, error) {
	n, err := flag.number("--workers", 0, 1000)
	if n == 0 {
		n = int64(runtime.NumCPU())
	}
	return int(n), err
}

// checkMethods returns an error unless the methods of --methods are there, each
// once. They may have one of the suffixes.
func checkMethods(names []string, suffixes ...string) error {
	for i, name := range names {
		strategy, suffix, with := strings.Cut(name, ":")
		if with && !slices.Contains(suffixes, ":"+suffix) {
			return badInput{fmt.Errorf("--methods has %q: behind a method's name may stand %s", name, strings.Join(suffixes, " or "))}
		}
		if err := method("--methods", strategy, planner.PaperCatalogue()); err != nil {
			return err
		}
		if slices.Contains(names[:i], name) {
			return badInput{fmt.Errorf("--methods has %q twice", name)}
		}
	}
	if len(names) == 0 {
		return badInput{errors.New("--methods is empty: want names with commas between them")}
	}
	return nil
}

// trialProgress returns what is to be called after each of so many trials: it
// shows a bar with the time left, or where there is no terminal a line every few
// seconds.
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

// openLog begins the log of a folder, or goes on with the one that is there.
func openLog[R any](folder string, resume bool, header any) (*experiment.Log[R], error) {
	if resume {
		log, err := experiment.ResumeLog[R](folder, header)
		if errors.Is(err, experiment.ErrLog) {
			err = badInput{fmt.Errorf("--resume: %w", err)}
		}
		return log, err
	}
	log, err := experiment.CreateLog[R](folder, header)
	if errors.Is(err, fs.ErrExist) {
		return nil, badInput{fmt.Errorf("--out is %s, which has trials of an earlier run: give --resume to go on with them, or another folder", folder)}
	}
	return log, err
}

// interrupted says where the trials of a run that was broken off are.
func interrupted(t terminal, err error, folder string) {
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(t.out, "Interrupted. The trials that are done are in %s: --resume goes on.\n", filepath.Join(folder, experiment.LogName))
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
