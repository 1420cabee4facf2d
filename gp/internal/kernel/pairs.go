// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"math"

	"ugp_explorer/gp/internal/packed"
)

// Pairs holds what the covariances of n beliefs with each other depend on besides the
// length-scale ℓ, where that is the same in all dimensions. In the axes of Σ+Σ', with its
// variances λ_a, and with the squares of x̂-x̂' along them, u_a²,
//
//	k̂ = Π_a exp(-½ u_a²/(ℓ²+λ_a)) / √(1+λ_a/ℓ²)
//
// for each term of a mixture. If all beliefs are points, one axis is enough, along x̂-x̂'. Pairs
// may be read concurrently.
type Pairs struct {
	axes    int
	squares []float64 // u_a², for each pair (i, j) of the packed triangle and each axis
	spreads []float64 // λ_a; nil for points
}

// NewPairs returns the pairs of the beliefs x, n×d, and cov, n×d(d+1)/2.
func NewPairs(x, cov []float64, d int) *Pairs {
	n, q := len(x)/d, packed.Len(d)
	p := &Pairs{axes: 1}
	for _, v := range cov {
		if v != 0 {
			p.axes = d
			p.spreads = make([]float64, 0, packed.Len(n)*d)
			break
		}
	}
	p.squares = make([]float64, 0, packed.Len(n)*p.axes)
	u, s := make([]float64, d), make([]float64, q)
	for i := range n {
		for j := range i + 1 {
			sum := 0.0
			for a := range u {
				u[a] = x[i*d+a] - x[j*d+a]
				sum += u[a] * u[a]
			}
			if p.spreads == nil {
				p.squares = append(p.squares, sum)
				continue
			}
			for a := range s {
				s[a] = cov[i*q+a] + cov[j*q+a]
			}
			diagonalise(s, u)
			for a, v := range u {
				p.squares = append(p.squares, v*v)
				p.spreads = append(p.spreads, max(s[packed.At(a, a)], 0)) // negative by rounding
			}
		}
	}
	return p
}

// diagonalise rotates the packed covariance s to its axes, and the vector u with it, by Jacobi's
// method (Golub and Van Loan, Matrix Computations, section 8.5): one rotation in the plane.
func diagonalise(s, u []float64) {
	d := len(u)
	for range 20 { // it converges quadratically, in fewer than ten sweeps
		rotated := false
		for i := 1; i < d; i++ {
			for j := range i {
				ii, jj, b := s[packed.At(i, i)], s[packed.At(j, j)], s[packed.At(i, j)]
				if math.Abs(b) <= 0x1p-60*math.Sqrt(math.Abs(ii*jj)) { // also 0 beside a variance of 0
					continue
				}
				rotated = true
				half := 0.5 * (ii - jj)
				t := b / (math.Abs(half) + math.Hypot(half, b)) // tangent of the smaller angle
				if half < 0 {
					t = -t
				}
				c := 1 / math.Sqrt(1+t*t)
				sn := c * t
				s[packed.At(i, i)], s[packed.At(j, j)], s[packed.At(i, j)] = ii+t*b, jj-t*b, 0
				u[i], u[j] = c*u[i]+sn*u[j], c*u[j]-sn*u[i]
				for k := range d {
					if k == i || k == j {
						continue
					}
					ki, kj := &s[packed.At(max(k, i), min(k, i))], &s[packed.At(max(k, j), min(k, j))]
					*ki, *kj = c**ki+sn**kj, c**kj-sn**ki
				}
			}
		}
		if !rotated {
			return
		}
	}
}

// Eval writes k̂ of each pair, for σ_f = 1, into k, and ∂k̂/∂log ℓ into slope, both packed
// triangles. For each term of a mixture,
//
//	∂log k̂/∂log ℓ = Σ_a u_a² ℓ²/(ℓ²+λ_a)² + λ_a/(ℓ²+λ_a)
func (p *Pairs) Eval(k, slope []float64, mix Mixture, lengthScale float64) {
	var stack [8]struct{ square, weight float64 } // (s_jℓ)², w_j: no mixture has more terms
	terms := stack[:len(mix)]
	for j, c := range mix {
		l := c.Scale * lengthScale
		terms[j].square, terms[j].weight = l*l, c.Weight
	}
	slope = slope[:len(k)]
	clear(k)
	clear(slope)
	switch {
	case p.spreads == nil:
		var half [packed.Block]float64
		squares := p.squares[:len(k)]
		for from := 0; from < len(k); from += len(half) {
			to := min(from+len(half), len(k))
			for _, t := range terms {
				for i, u := range squares[from:to] {
					half[i] = 0.5 * (u / t.square)
				}
				ExpNegAll(half[:to-from])
				for i, u := range squares[from:to] {
					v := t.weight * half[i]
					k[from+i] += v
					slope[from+i] += v * (u / t.square)
				}
			}
		}
	case p.axes == 2:
		var half, root, rate [packed.Block]float64
		for from := 0; from < len(k); from += len(half) {
			to := min(from+len(half), len(k))
			squares, spreads := p.squares[2*from:2*to], p.spreads[2*from:2*to]
			for _, t := range terms {
				l := t.square
				for i := range to - from {
					u, v, s, r := squares[2*i], squares[2*i+1], spreads[2*i], spreads[2*i+1]
					a, b := l+s, l+r
					q := 1 / (a * b)
					a, b = q*b, q*a // 1/(ℓ²+λ)
					u, v = u*a, v*b
					half[i], root[i], rate[i] = 0.5*(u+v), math.Sqrt(q), (u*l+s)*a+(v*l+r)*b
				}
				ExpNegAll(half[:to-from])
				for i, e := range half[:to-from] {
					e = t.weight * e * l * root[i]
					k[from+i] += e
					slope[from+i] += e * rate[i]
				}
			}
		}
	default:
		for at := range k {
			squares, spreads := p.squares[at*p.axes:(at+1)*p.axes], p.spreads[at*p.axes:(at+1)*p.axes]
			for _, t := range terms {
				h, det, rate := 0.0, 1.0, 0.0
				for a, u := range squares {
					inv := 1 / (t.square + spreads[a])
					u *= inv
					h += u
					det *= t.square * inv
					rate += (u*t.square + spreads[a]) * inv
				}
				v := t.weight * ExpNeg(0.5*h) * math.Sqrt(det)
				k[at] += v
				slope[at] += v * rate
			}
		}
	}
}
