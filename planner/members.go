package planner

import (
	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
)

// membersOf returns the members, or the model as the only member if there are none.
func membersOf(model *gp.GP, members []fit.Member) []fit.Member {
	if len(members) == 0 {
		return []fit.Member{{Model: model, Weight: 1}}
	}
	return members
}

// averagePosterior returns the mean and the variance of f̂(b) over the members. By the law
// of total variance, the variance is the mean of their variances plus the variance of
// their means.
func averagePosterior(model *gp.GP, members []fit.Member, b gp.Belief) (mean, variance float64) {
	square := 0.0
	for _, m := range membersOf(model, members) {
		mu, v := m.Model.Posterior(b)
		mean += m.Weight * mu
		variance += m.Weight * v
		square += m.Weight * mu * mu
	}
	return mean, variance + max(square-mean*mean, 0)
}
