// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package paper

import "ugp_explorer/planner"

// Catalogue returns the robot's methods and the rivals from the literature, in the order in
// which they are listed for people.
func Catalogue() planner.Catalogue {
	methods := planner.Robot()
	robot := func(name string) planner.Method {
		m, err := methods.Method(name)
		if err != nil {
			panic(err)
		}
		return *m
	}
	target := planner.Method{
		Name: "ugp-ucb-target", Description: "the same with samples placed by their targets and the execution noise",
		Form: planner.FormTargetBelief, Weighted: true,
	}
	igp := planner.Method{
		Name: "igp-ucb", Description: "upper confidence bound of a plain Gaussian process over targets, the execution noise counted as noise",
		Form: planner.FormTarget, Weighted: true,
	}
	igpMean := planner.Method{
		Name: "igp-ucb-mean", Description: "the same with samples placed by the localisation, its noise counted as noise",
		Form: planner.FormMean, Weighted: true,
	}
	rival := func(name, description string, form planner.SampleForm, plain bool, custom *planner.AcquisitionMethod) planner.Method {
		return planner.Searching(planner.Method{Name: name, Description: description, Form: form, Plain: plain}, custom)
	}
	return planner.Catalogue{
		robot("ugp-ucb"),
		planner.Searching(target, nil),
		planner.Searching(igp, nil),
		planner.Searching(igpMean, nil),
		rival("uei", "unscented expected improvement over the best expected value of a target", planner.FormTarget, false, unscentedImprovement(false)),
		rival("uei-noisy", "unscented expected improvement over the largest value observed", planner.FormTarget, false, unscentedImprovement(true)),
		rival("uei-mean", "unscented expected improvement with samples where the localisation has them", planner.FormMean, false, unscentedImprovement(false)),
		rival("ei", "expected improvement of a plain Gaussian process: targets and samples as points", planner.FormMean, true, expectedImprovement()),
		robot("gp-ucb"),
		robot("random"),
		robot("grid"),
		robot("lines"),
	}
}
