// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package gp

import (
	"fmt"
	"slices"

	"ugp_explorer/gp/internal/kernel"
)

// Kind is a stationary kernel k(r), where r is the distance in length-scales. The zero
// value is the squared exponential.
//
// The others are mixtures of squared exponentials of different scales,
//
//	k(r) = Σ_j w_j exp(-r²/2s_j²),  w_j > 0, Σ_j w_j = 1
//
// Between Gaussian beliefs each term has the closed form of Eq. k_use with W times s_j²,
// and Gram matrices are positive semi-definite for any number of terms. A finite mixture
// approximates the kernel after which it is named: for a signal variance of 1, the error
// is below 1e-3, for Matern12 below 3.3e-3, between any two points, and so between any two
// beliefs. It is infinitely differentiable, so at distances below its shortest scale a Matérn
// field is smoother than it should be.
type Kind int

// The kernels, from smooth to rough, and then the one with long tails. The Matérn
// kernels and the rational quadratic (with the usual α = 1) are those of R&W Eq. 4.17
// and 4.19. Their order is that of [kernel.Mixtures].
const (
	SquaredExponential Kind = iota // exp(-r²/2)
	Matern52                       // (1 + √5r + 5r²/3)exp(-√5r)
	Matern32                       // (1 + √3r)exp(-√3r)
	Matern12                       // exp(-r), the exponential kernel
	RationalQuadratic              // 1/(1 + r²/2)
)

// kindNames holds the name of each Kind.
var kindNames = [...]string{SquaredExponential: "se", Matern52: "matern52", Matern32: "matern32", Matern12: "matern12", RationalQuadratic: "rq"}

// Kinds returns all kernels, in the order of their constants.
func Kinds() []Kind {
	all := make([]Kind, len(kindNames))
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// String returns the name: se, matern52, matern32, matern12 or rq.
func (k Kind) String() string {
	if !k.known() {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// ParseKind returns the kernel of that name. The error wraps [ErrHyper].
func ParseKind(name string) (Kind, error) {
	for _, k := range Kinds() {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("%w: kernel %q, want one of %v", ErrHyper, name, Kinds())
}

// choices are the names of groups of kernels from which a fit chooses.
var choices = [...]struct {
	name  string
	kinds []Kind
}{
	{"matern", []Kind{Matern52, Matern32}},
	{"auto", Kinds()},
}

// KindNames returns the names that [ParseKinds] accepts: those of the kernels, matern
// for the two smoother Matérn kernels, and auto for all kernels.
func KindNames() []string {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.String())
	}
	for _, c := range choices {
		names = append(names, c.name)
	}
	return names
}

// ParseKinds returns the kernels of that name, for a fit to choose from. The error wraps
// [ErrHyper].
func ParseKinds(name string) ([]Kind, error) {
	for _, c := range choices {
		if c.name == name {
			return slices.Clone(c.kinds), nil
		}
	}
	k, err := ParseKind(name)
	if err != nil {
		return nil, fmt.Errorf("%w: kernel %q, want one of %v", ErrHyper, name, KindNames())
	}
	return []Kind{k}, nil
}

// SlopeVariance returns the prior variance of a partial derivative of f at a point for
// σ_f = ℓ = 1,
//
//	∂²k/∂x∂x' at x = x', which is Σ_j w_j/s_j²
//
// In general it is this number times σ_f²/ℓ_i². It is 2.63 for the mixture that
// approximates Matérn 3/2 (3 for the kernel itself), 1.62 for Matérn 5/2 (5/3) and 0.985
// for the rational quadratic (1). It panics if k is unknown.
func (k Kind) SlopeVariance() float64 { return k.mixture().SlopeVariance() }

// mixture returns the terms of the kernel. It panics if k is unknown.
func (k Kind) mixture() kernel.Mixture { return kernel.Mixtures[k] }

func (k Kind) known() bool { return k >= 0 && int(k) < len(kindNames) }
