// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"context"
	"errors"
	"fmt"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/experiment"
)

// Trial is one mission of a study.
type Trial struct {
	Seed   int64  `json:"seed"`
	Method string `json:"method"`

	Receiver string `json:"receiver,omitempty"` // "": that of the configuration
}

func (t Trial) String() string {
	text := fmt.Sprintf("seed %d, %s", t.Seed, t.Method)
	if t.Receiver != "" {
		text += ", " + t.Receiver
	}
	return text
}

// Plan is a comparison of methods on simulated robots. For one seed all methods meet the
// same field, robot and sensors.
type Plan struct {
	Methods   []string // the first is compared with each of the others
	Seeds     Seeds
	Receivers []string  // kinds or recordings that the missions are tried with, each alone
	FixErrors []float64 // of each of these, the standard deviation of its errors, of one axis, m
}

// Seeds are the seeds of a study, one for each trial.
type Seeds struct {
	First int64
	Count int
}

// of returns the seed of a trial, counted from 1.
func (s Seeds) of(trial int) int64 { return s.First + int64(trial) - 1 }

func (s Seeds) String() string { return fmt.Sprintf("seeds %d to %d", s.First, s.of(s.Count)) }

// Study returns the plan's study. fly runs one trial. An error from fly ends the study
// unless it is ErrGivenUp with a mission: such a mission counts with its results so far. Its second result is how far from
// home the robot really is in the end, m.
func (p Plan) Study(header any, fly func(context.Context, Trial) (*record.Mission, float64, error)) *experiment.Study[string, Trial, MissionOutcome] {
	return &experiment.Study[string, Trial, MissionOutcome]{
		Header: header, Unit: "missions", Methods: p.Methods, Settings: p.Receivers, Trials: p.Seeds.Count,
		Job: func(method, receiver string, trial int) Trial { return Trial{p.Seeds.of(trial), method, receiver} },
		Of:  func(o MissionOutcome) Trial { return o.Trial },
		Run: func(ctx context.Context, trial Trial) (MissionOutcome, error) {
			m, fromHome, err := fly(ctx, trial)
			if !counts(ctx, m, err) {
				return MissionOutcome{}, err
			}
			o := outcome(trial, m)
			o.FromHome = fromHome
			if o.GivenUp = err != nil; o.GivenUp {
				o.Ending = err.Error()
			}
			return o, nil
		},
		Columns: "receiver,method,seed,samples,instantaneous,mean,simple,recommended_raw,recommended_smooth,recommended_expected",
		Rows: func(o MissionOutcome) (rows [][]any) {
			for i, n := range o.Samples {
				rows = append(rows, []any{o.Receiver, o.Method, o.Seed, n, o.Instantaneous[i], o.Mean[i], o.Simple[i], o.Recommended[i], o.Smooth[i], o.Expected[i]})
			}
			return rows
		},
		Table: p.table, Charts: p.charts,
		Comparison: experiment.Comparison[MissionOutcome]{
			Before: []experiment.Column[MissionOutcome]{{Name: "samples", Format: "%.4g", Of: func(o MissionOutcome) float64 { return float64(o.Observations) }}},
			Curves: []experiment.Curve[MissionOutcome]{
				{Name: "smooth", Of: func(o MissionOutcome) []float64 { return o.Smooth }}, {Name: "expected", Of: func(o MissionOutcome) []float64 { return o.Expected }},
				{Name: "raw", Of: func(o MissionOutcome) []float64 { return o.Recommended }}, {Name: "mean", Of: func(o MissionOutcome) []float64 { return o.Mean }},
			},
			After: []experiment.Column[MissionOutcome]{
				{Name: "distance, km", Format: "%.1f", Of: func(o MissionOutcome) float64 { return o.Distance / 1000 }},
				{Name: "time, h", Format: "%.2f", Of: func(o MissionOutcome) float64 { return o.Simulated / 3600 }},
			},
		},
	}
}

// counts reports whether a mission enters a study: it came to its end, or was given up, which
// counts with its results so far. One that ended because the study was stopped does not.
func counts(ctx context.Context, m *record.Mission, err error) bool {
	stopped := ctx.Err() != nil && errors.Is(err, context.Cause(ctx))
	return err == nil || m != nil && errors.Is(err, ErrGivenUp) && !stopped
}
