// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import "math"

// mostAlternations is the number of fixes over which their white error is averaged.
const mostAlternations = 100

// alternation is the white error of fixes, as far as it shows: such an error moves each fix to one side of the path of the wheels and the next
// one back, which no jump, drift or slip does.
type alternation struct {
	hop      complex128 // m, between the newest fix and the one before it, less the motion of the wheels; 0: not known
	variance float64    // m²
	n        float64    // number of fixes averaged, up to mostAlternations
}

// add adds the next hop, m, to a fix that states a standard deviation, m.
func (a *alternation) add(hop complex128, stdDev float64) {
	back := -(real(hop)*real(a.hop) + imag(hop)*imag(a.hop)) / 2
	a.hop = hop
	a.n = min(mostAlternations, a.n+1)
	most := pairDeviations * pairDeviations / 2 * max(stdDev*stdDev, a.variance) // a single outlier counts no more
	a.variance += (max(-most, min(back, most)) - a.variance) / a.n
}

// scatters enlarges the standard deviation that a fix states to that of the white error that fixes show.
func (p *places) scatters(f *sighting) {
	from := p.newest()
	if p.turn == 0 && f.at != from.at { // the direction of the wheels is not known
		p.white.hop = 0
	} else {
		p.white.add(f.place-from.place-p.turn*(f.at-from.at), f.stdDev)
	}
	if p.white.n >= measured {
		f.stdDev = max(f.stdDev, math.Sqrt(max(0, p.white.variance)))
	}
}
