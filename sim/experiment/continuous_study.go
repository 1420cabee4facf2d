package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Methods of a [ContinuousPlan].
const (
	ContinuousPaths      = "paths"       // uGP-UCB; a piece is a distribution along the path
	ContinuousPoints     = "points"      // uGP-UCB; a piece is the point in its middle
	ContinuousGrid       = "grid"        // the lines of an even grid; pieces are distributions
	ContinuousGridPoints = "grid-points" // the same drive, and the same pieces as points
)

// ContinuousTuningSeed is the first of the seeds on which the densities of the grids are
// chosen. Those of the comparison are lower.
const ContinuousTuningSeed = 1001

// ContinuousPlan compares ways to drive with a sensor that measures continuously, with an
// ideal robot. For one seed all methods meet the same field.
type ContinuousPlan struct {
	Distances []float64 // m, budgets with the path home
	Pieces    []float64 // m, lengths of the pieces of path that make an observation
	Seeds     int       // of the comparison, counted from 1
	Tuning    int       // on which the grids are chosen, counted from ContinuousTuningSeed
	Price     float64   // of a kilometre, in signal standard deviations
	Spread    float64   // share of the budget that is spread evenly over the field first
	Survey    *Survey   // the field, for all seeds; nil: a synthetic farm for each
}

// DefaultContinuousPlan returns a comparison at 6.5 km.
func DefaultContinuousPlan() ContinuousPlan {
	return ContinuousPlan{Distances: []float64{6500}, Pieces: []float64{10, 50, 150}, Seeds: 20, Tuning: 10, Price: 0.8, Spread: 0.2}
}

// ContinuousSetting is a budget and the length of pieces, m.
type ContinuousSetting struct{ Distance, Piece float64 }

// ContinuousTrial is a mission.
type ContinuousTrial struct {
	Method   string  `json:"method"`
	Distance float64 `json:"budget_m"`
	Piece    float64 `json:"piece_m"`
	Points   int     `json:"points"` // of the grid; 0 for other methods
	Seed     int64   `json:"seed"`
}

func (t ContinuousTrial) String() string {
	return fmt.Sprintf("seed %d, %s, %g m in pieces of %g m", t.Seed, t.Method, t.Distance, t.Piece)
}

// ContinuousOutcome is the result of a trial. Regret and map are of the field without the
// variation over distances too short to map.
type ContinuousOutcome struct {
	ContinuousTrial
	Regret    float64 `json:"regret"`    // of the recommendation
	MapError  float64 `json:"map_error"` // root mean square error of the posterior mean
	Inside    float64 `json:"inside"`    // share of the field that lies within two standard deviations of the mean
	Driven    float64 `json:"driven_m"`
	Pieces    int     `json:"pieces"`
	Decisions int     `json:"decisions"`
}

// ContinuousStudy is a study of missions with a sensor that measures continuously.
type ContinuousStudy = Study[ContinuousSetting, ContinuousTrial, ContinuousOutcome]

// continuousGrids are the numbers of points of the grids that are tried, relative to the
// number whose tour is as long as the budget: 1.45 times the side of a square of the field's
// area times the root of that number.
var continuousGrids = []float64{0.25, 0.4, 0.6, 0.85, 1.2, 1.7}

func (p *ContinuousPlan) points(distance float64) []int {
	fits := math.Pow(distance/(1.45*p.side()), 2)
	var list []int
	for _, d := range continuousGrids {
		list = append(list, max(2, int(math.Round(d*fits))))
	}
	return slices.Compact(list)
}

// Densities returns the study of the grids on the tuning seeds. A method of it is the place
// of a number of points in the list of those that are tried.
func (p *ContinuousPlan) Densities(header any) *ContinuousStudy {
	s := p.study(header)
	s.Trials = p.Tuning
	s.Settings = nil
	for _, distance := range p.Distances {
		s.Settings = append(s.Settings, ContinuousSetting{distance, p.Pieces[0]})
	}
	for i := range continuousGrids {
		s.Methods = append(s.Methods, fmt.Sprint(i))
	}
	s.Job = func(method string, c ContinuousSetting, trial int) ContinuousTrial {
		list := p.points(c.Distance)
		i := min(int(method[0]-'0'), len(list)-1)
		return ContinuousTrial{ContinuousGrid, c.Distance, c.Piece, list[i], ContinuousTuningSeed + int64(trial) - 1}
	}
	return s
}

// Best returns the number of points with the smallest mean regret for each budget, from the
// outcomes of [ContinuousPlan.Densities]; the smaller number if equal.
func (p *ContinuousPlan) Best(outcomes []ContinuousOutcome) []int {
	best := make([]int, len(p.Distances))
	for i, distance := range p.Distances {
		least := math.Inf(1)
		for _, n := range p.points(distance) {
			var regret []float64
			for _, o := range outcomes {
				if o.Distance == distance && o.Points == n {
					regret = append(regret, o.Regret)
				}
			}
			if mean := stat.Mean(regret, nil); mean < least {
				least, best[i] = mean, n
			}
		}
	}
	return best
}

// Comparison returns the study that compares the methods, with grids of the given numbers of
// points, one for each budget.
func (p *ContinuousPlan) Comparison(header any, points []int) *ContinuousStudy {
	s := p.study(header)
	s.Trials = p.Seeds
	s.Methods = []string{ContinuousPaths, ContinuousPoints, ContinuousGrid, ContinuousGridPoints}
	for _, distance := range p.Distances {
		for _, piece := range p.Pieces {
			s.Settings = append(s.Settings, ContinuousSetting{distance, piece})
		}
	}
	s.Job = func(method string, c ContinuousSetting, seed int) ContinuousTrial {
		t := ContinuousTrial{Method: method, Distance: c.Distance, Piece: c.Piece, Seed: int64(seed)}
		if method == ContinuousGrid || method == ContinuousGridPoints {
			t.Points = points[slices.Index(p.Distances, c.Distance)]
		}
		return t
	}
	s.Table = func(outcomes []ContinuousOutcome) string { return p.table(s, outcomes) }
	s.Charts = func([]ContinuousOutcome) []Chart { return nil }
	return s
}

func (p *ContinuousPlan) study(header any) *ContinuousStudy {
	return &ContinuousStudy{
		Header: header, Unit: "missions",
		Of: func(o ContinuousOutcome) ContinuousTrial { return o.ContinuousTrial }, Run: p.Trial,
		Columns: "method,budget_m,piece_m,points,seed,pieces,decisions,driven_m,regret,map_error,inside",
		Rows: func(o ContinuousOutcome) [][]any {
			return [][]any{{o.Method, o.Distance, o.Piece, o.Points, o.Seed, o.Pieces, o.Decisions, o.Driven, o.Regret, o.MapError, o.Inside}}
		},
	}
}

// table returns a Markdown table with a row for each setting and method.
func (p *ContinuousPlan) table(s *ContinuousStudy, outcomes []ContinuousOutcome) string {
	var b strings.Builder
	fmt.Fprintf(&b, "A sensor that measures continuously, over seeds 1 to %d, mean ± standard error. The ratio is that of the regret to the grid's, and the differences, paired, are those of points less distributions on the same kind of drive. "+
		"The grids' numbers of points are the best of %d on seeds %d to %d.\n\n",
		p.Seeds, len(continuousGrids), ContinuousTuningSeed, ContinuousTuningSeed+p.Tuning-1)
	b.WriteString("| budget, km | piece, m | method | pieces | driven, km | regret | ratio | points − paths | map error | points − paths | inside 2σ |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	regret := func(o ContinuousOutcome) float64 { return o.Regret }
	mapped := func(o ContinuousOutcome) float64 { return o.MapError }
	for _, setting := range s.Settings {
		groups := s.Groups(outcomes, setting)
		of := func(i int, f func(ContinuousOutcome) float64) (list []float64) {
			for _, o := range groups[i].Results {
				list = append(list, f(o))
			}
			return list
		}
		if len(groups[0].Results) < 2 {
			continue
		}
		for i, g := range groups {
			mean := func(f func(ContinuousOutcome) float64) float64 { return stat.Mean(of(i, f), nil) }
			behind := func(f func(ContinuousOutcome) float64) string {
				if i%2 == 0 {
					return ""
				}
				return withError(minus(of(i, f), of(i-1, f)))
			}
			ratio, e := quotient(of(i, regret), of(2, regret))
			fmt.Fprintf(&b, "| %.4g | %g | %s | %.0f | %.2f | %s | %.2f ± %.2f | %s | %s | %s | %.1f %% |\n", setting.Distance/1000, setting.Piece, g.Method,
				mean(func(o ContinuousOutcome) float64 { return float64(o.Pieces) }), mean(func(o ContinuousOutcome) float64 { return o.Driven / 1000 }),
				withError(of(i, regret)), ratio, e, behind(regret), withError(of(i, mapped)), behind(mapped),
				100*mean(func(o ContinuousOutcome) float64 { return o.Inside }))
		}
	}
	return b.String()
}

func minus(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return d
}

func withError(list []float64) string {
	mean, deviation := stat.MeanStdDev(list, nil)
	return fmt.Sprintf("%.4f ± %.4f", mean, stat.StdErr(deviation, float64(len(list))))
}

// quotient returns the mean of a over that of b, with the standard error of first order for
// paired figures.
func quotient(a, b []float64) (ratio, standardError float64) {
	mean := stat.Mean(b, nil)
	ratio = stat.Mean(a, nil) / mean
	rest := make([]float64, len(a))
	for i := range a {
		rest[i] = a[i] - ratio*b[i]
	}
	return ratio, stat.StdErr(stat.StdDev(rest, nil), float64(len(rest))) / mean
}
