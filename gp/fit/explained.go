// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fit

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/gp"
)

// Explained says how much a covariate explains of the field, with its uncertainty.
type Explained struct {
	gp.CovariateWeight         // how much the values rise with a standard deviation of the covariate
	Share, ShareStdDev float64 // of the field's variance that it explains, in [0, 1]
}

// Explained returns what each covariate explains. The share of covariate j is
//
//	b_j² / (σ_f² + Σ_k b_k²)
//
// where the other weights are at their expected squares. Covariates that are correlated with
// each other have parts in common, so the shares are each for itself and do not add up.
func (m Mixture) Explained() []Explained {
	var all []Explained
	for j := range m[0].Model.Hyper().Covariates {
		var weight, share total
		for _, member := range m {
			weights := member.Model.CovariateWeights()
			rest := member.Model.Hyper().SignalVariance
			for k, w := range weights {
				if k != j {
					rest += w.Mean*w.Mean + w.StdDev*w.StdDev
				}
			}
			w := weights[j]
			weight.add(member.Weight, w.Mean, w.StdDev*w.StdDev)
			const parts = 32 // of equal probability, of the weight
			for i := range parts {
				b := w.Mean + w.StdDev*distuv.UnitNormal.Quantile((float64(i)+0.5)/parts)
				share.add(member.Weight/parts, b*b/(rest+b*b), 0)
			}
		}
		all = append(all, Explained{
			CovariateWeight: gp.CovariateWeight{Mean: weight.mean, StdDev: math.Sqrt(weight.variance)},
			Share:           share.mean, ShareStdDev: math.Sqrt(share.variance),
		})
	}
	return all
}

// Correlation returns the mean and the standard deviation of the models' correlations with the second quantity.
func (m Mixture) Correlation() (mean, stdDev float64) {
	var rho total
	for _, member := range m {
		rho.add(member.Weight, member.Model.Hyper().Correlation, 0)
	}
	return rho.mean, math.Sqrt(rho.variance)
}
