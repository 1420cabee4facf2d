package faults

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/sim/experiment"
)

// Header says what the results of a log have in common.
type Header struct {
	Experiment string   `json:"experiment"`
	Kinds      []string `json:"kinds"` // of faults
}

// Study is a study of the seeds from one to another, both included.
type Study = experiment.Study[struct{}, int64, Result]

// NewStudy returns the study of the seeds from first to last. A trial that breaks a rule is
// shrunk.
func NewStudy(first, last int64) *Study {
	return &Study{
		Header: Header{"faults", Kinds()}, Unit: "missions", Methods: []string{""}, Settings: make([]struct{}, 1),
		Trials: int(last - first + 1),
		Job:    func(_ string, _ struct{}, trial int) int64 { return first + int64(trial) - 1 },
		Of:     func(r Result) int64 { return r.Seed },
		Run: func(ctx context.Context, seed int64) (Result, error) {
			r, err := Run(ctx, seed, nil, nil)
			if err != nil {
				return r, err
			}
			return Shrink(ctx, r)
		},
		Columns: "seed,faults,samples,simulated_s,outside_m,rule,end",
		Rows: func(r Result) [][]any {
			rule := ""
			if r.Violation != nil {
				rule = r.Violation.Rule
			}
			return [][]any{{r.Seed, r.Faults, r.Samples, r.Simulated, r.Outside, rule, fmt.Sprintf("%q", r.End)}}
		},
		Table: Table,
	}
}

// Table describes results: how the missions ended, and each broken rule with the command
// that shows it again.
func Table(results []Result) string {
	ends := map[string]int{}
	samples, simulated := 0, 0.0
	var broken []Result
	for _, r := range results {
		ends[ending(r.End)]++
		samples += r.Samples
		simulated += r.Simulated
		if r.Violation != nil {
			broken = append(broken, r)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d missions with %d samples in %.1f simulated hours; %d broke a rule.\n\n| end | missions |\n|---|---|\n", len(results), samples, simulated/3600, len(broken))
	var names []string
	for name := range ends {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(ends[b], ends[a]), cmp.Compare(a, b)) })
	for _, name := range names {
		fmt.Fprintf(&b, "| %s | %d |\n", name, ends[name])
	}
	for _, r := range broken {
		fmt.Fprintf(&b, "\n%s\n    %s\n", Command(r), r.Violation)
	}
	return b.String()
}

// Command returns the command that shows a result again.
func Command(r Result) string {
	command := fmt.Sprintf("go test ./node/simulation/faults -run TestSeeds -v -seeds %d", r.Seed)
	if r.Only == nil {
		return command
	}
	if len(r.Only) == 0 {
		return command + " -only none"
	}
	return command + " -only " + strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Only), " ", ","), "[]")
}

// endings are parts of the texts of missions that are over, and what they mean.
var endings = []struct{ part, meaning string }{
	{"stop was requested", "stopped by an operator"},
	{"return home was requested", "sent home by an operator"},
	{"samples is used", "all samples taken"},
	{"sample is used", "all samples taken"},
	{"no place is left to sample", "no place left to sample"},
	{"too small to return home", "budget too small to begin"},
	{"too small for a sample", "budget too small to begin"},
	{"in a row", "too many failures in a row"},
	{"the budget of", "budget of metres or seconds used"},
}

// ending returns the reason of an end without its numbers.
func ending(end string) string {
	for _, e := range endings {
		if strings.Contains(end, e.part) {
			return e.meaning
		}
	}
	state, _, _ := strings.Cut(end, ":")
	return "not over: " + state
}
