package gp

import (
	"fmt"
	"math"
	"slices"
)

// Kind names a stationary kernel k(r), r being the distance in length-scales.
// The zero value is the squared exponential.
//
// The others are mixtures over scales of squared exponentials,
//
//	k(r) = Σ_j w_j exp(-r²/2s_j²),  w_j > 0, Σ_j w_j = 1
//
// so that over Gaussian beliefs each term has the closed form Eq. k_use with W
// times s_j², and Gram matrices are positive semi-definite whatever the number of
// terms. A finite mixture is not quite the kernel that it is named after: for a
// signal variance of 1, it is off by less than 1e-3 between any two points, and so
// between any two beliefs. And it is infinitely differentiable: within its shortest
// scale a Matérn field is smoother than it should be.
type Kind int

// The kernels, smooth to rough and then the one with long tails. The Matérn
// kernels and the rational quadratic (with α = 1, as is usual) are as in R&W Eq.
// 4.17 and 4.19.
const (
	SquaredExponential Kind = iota // exp(-r²/2)
	Matern52                       // (1 + √5r + 5r²/3)exp(-√5r)
	Matern32                       // (1 + √3r)exp(-√3r)
	RationalQuadratic              // 1/(1 + r²/2)
)

// component is one term of a mixture.
type component struct{ scale, weight float64 } // s_j, w_j

// kinds has a row for each Kind.
//
// As functions of r², the kernels are Laplace transforms of densities of 1/s²:
// with s² ~ Gamma(ν, ν) that is the Matérn kernel of smoothness ν, with 1/s² ~
// Gamma(α, α) the rational quadratic. The mixtures here do better than quadratures
// of those integrals: found by Remez's exchange algorithm, they have the smallest
// largest error over r ≥ 0 among all mixtures of so many terms J that are 1 at
// r = 0. For the error attains that size 2J times with alternating signs, so that
// the difference from a better mixture would have 2J-1 zeros between those places
// and one at 0, and a sum of 2J exponentials in r² has at most 2J-1. Each has the
// fewest terms that come below 1e-3; below 1e-4 takes 5, 6 and 8, and time in
// proportion.
var kinds = [...]struct {
	name string
	mix  []component
}{
	SquaredExponential: {"se", []component{{1, 1}}},
	Matern52: {"matern52", []component{ // off by at most 7.22e-4
		{0.43098540657024111, 0.11490413906031985},
		{0.8291355994671282, 0.56605238378179783},
		{1.3541907879958871, 0.31904347715788232},
	}},
	Matern32: {"matern32", []component{ // off by at most 6.1e-4
		{0.19632928078809386, 0.034432648268247564},
		{0.48010241110641393, 0.23513036292753491},
		{0.90671783360901973, 0.51046829549650405},
		{1.5372534229675676, 0.21996869330771347},
	}},
	RationalQuadratic: {"rq", []component{ // off by at most 6.66e-4
		{0.62480474113064371, 0.22772629635641122},
		{1.1307396262742802, 0.44696517822981486},
		{2.2236777784349611, 0.24403301981266374},
		{5.1160112613772811, 0.070211538661159172},
		{16.968694807061431, 0.011063966939951005},
	}},
}

// Kinds returns all kernels, in the order of their constants.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i := range all {
		all[i] = Kind(i)
	}
	return all
}

// String returns the name: se, matern52, matern32 or rq.
func (k Kind) String() string {
	if !k.known() {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kinds[k].name
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

// choices are the names of several kernels for a fit to choose from.
var choices = [...]struct {
	name  string
	kinds []Kind
}{
	{"matern", []Kind{Matern52, Matern32}},
	{"auto", Kinds()},
}

// KindNames returns the names that [ParseKinds] takes: those of the kernels, matern
// for both Matérn kernels, and auto for all.
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

// ParseKinds returns the kernels of that name, for [FitConfig]'s Kinds. The error wraps
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

// SlopeVariance returns the prior variance of a partial derivative of f at a point
// when σ_f = ℓ = 1, which is
//
//	∂²k/∂x∂x' at x = x', that is Σ_j w_j/s_j²
//
// In general it is that times σ_f²/ℓ_i². For the mixture in place of Matérn 3/2
// it is 2.63 (3 for the kernel itself), 5/2: 1.62 (5/3), for the rational
// quadratic 0.985 (1). It panics for an unknown k.
func (k Kind) SlopeVariance() float64 {
	v := 0.0
	for _, c := range kinds[k].mix {
		v += c.weight / (c.scale * c.scale)
	}
	return v
}

// shortest returns the shortest scale s_j.
func (k Kind) shortest() float64 {
	s := math.Inf(1)
	for _, c := range kinds[k].mix {
		s = min(s, c.scale)
	}
	return s
}

func (k Kind) known() bool { return k >= 0 && int(k) < len(kinds) }
