package paper

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
)

// Catalogue returns the robot's methods and schedules, the rivals from the literature,
// and the schedules of the paper's theorems.
func Catalogue() planner.Catalogue {
	c := planner.Robot()
	robot := func(name string) planner.Method {
		m, err := c.Method(name)
		if err != nil {
			panic(err)
		}
		return *m
	}
	target := planner.Method{
		Name: "ugp-ucb-target", Description: "the same with samples placed by their targets and the execution noise",
		Data: planner.DataTargetBelief, Weighted: true,
	}
	igp := planner.Method{
		Name: "igp-ucb", Description: "upper confidence bound of a plain Gaussian process over targets, the execution noise counted as noise",
		Data: planner.DataTarget, Weighted: true,
	}
	igpMean := planner.Method{
		Name: "igp-ucb-mean", Description: "the same with samples where the localisation has them, its noise counted as noise",
		Data: planner.DataMean, Weighted: true,
	}
	rival := func(name, description string, data planner.Data, plain bool, rule planner.Rule) planner.Method {
		return planner.Searching(planner.Method{Name: name, Description: description, Data: data, Plain: plain}, &rule)
	}
	unscented := planner.Rule{New: func() planner.Valuer { return &ueiValuer{} }}
	c.Methods = []planner.Method{
		robot("ugp-ucb"),
		planner.Searching(target, nil),
		planner.Searching(igp, nil),
		planner.Searching(igpMean, nil),
		rival("uei", "unscented expected improvement over the best expected value of a target", planner.DataTarget, false, unscented),
		rival("uei-noisy", "unscented expected improvement over the largest value observed", planner.DataTarget, false,
			planner.Rule{New: func() planner.Valuer { return &ueiValuer{noisy: true} }}),
		rival("uei-mean", "unscented expected improvement with samples where the localisation has them", planner.DataMean, false, unscented),
		rival("ei", "expected improvement of a plain Gaussian process: targets and samples as points", planner.DataMean, true,
			planner.Rule{New: func() planner.Valuer { return &eiValuer{} }}),
		robot("gp-ucb"),
		rival("ugp-ei", "expected improvement of the expected value where the robot probably ends up, over the highest of the field", planner.DataBelief, false,
			planner.Rule{New: func() planner.Valuer { return &eiAnywhereValuer{} }, Places: true}),
		rival("ugp-aei", "the same, augmented: less where a sample is mostly noise", planner.DataBelief, false,
			planner.Rule{New: func() planner.Valuer { return &eiAnywhereValuer{augmented: true} }, Places: true}),
		rival("ugp-kg", "knowledge gradient: by how much a sample is expected to better the place recommended after it", planner.DataBelief, false,
			planner.Rule{New: func() planner.Valuer { return &kgValuer{} }, Places: true, Slow: true}),
		robot("random"),
		robot("grid"),
	}
	c.Schedules = append(c.Schedules,
		planner.ScheduleKind{Name: "theorem", Description: "the paper's theorem with the information gain of the samples", New: theoremSchedule(false)},
		planner.ScheduleKind{Name: "maximum", Description: "the paper's theorem with the largest information gain of as many samples", New: theoremSchedule(true)})
	return c
}

// gainPlaces is the number of places of a field from which the maximum information gain is
// chosen: an even spread over 50 length-scales squared lies closer than a fifth of one.
const gainPlaces = 1000

// theoremSchedule returns the maker of a theorem's schedule over a space. The theorems'
// σ_E is that of the initial kernel: it stays while the length-scale is learnt. A method
// that takes places for exact has none.
func theoremSchedule(maximum bool) func(planner.ScheduleSetup) (planner.Schedule, error) {
	return func(s planner.ScheduleSetup) (_ planner.Schedule, err error) {
		t := Theorem{Bound: s.Beta.Bound, Delta: s.Beta.Delta, ObservationStdDev: s.Beta.Noise}
		if !s.Method.Plain {
			t.ExecutionStdDev = ExecutionStdDev(s.Beta.Bound, s.Kernel, s.Execution)
		}
		if maximum {
			if t.Maximum, err = NewMaximumGain(s.Space, gainPlaces, s.Method.Data.Judge(s.Execution), s.Rng); err != nil {
				return nil, err
			}
		}
		return Scaled{By: s.Beta.Scale, Of: t}, nil
	}
}

// eiValuer is the expected improvement over the largest posterior mean at the places of
// the data.
type eiValuer struct{ ei EI }

func (v *eiValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	v.ei.Predictor = c.Predictor
	v.ei.Incumbent = largest(means(c.Model, func(dst []float64, x *mat.Dense) { c.Predictor.PredictBatch(dst, nil, x) }))
	return &v.ei, nil
}

// eiAnywhereValuer is the expected improvement over the largest posterior mean anywhere.
type eiAnywhereValuer struct {
	augmented bool // for noise
	ei        EI
	chosen    [1]gp.Candidate
}

func (v *eiAnywhereValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	if v.augmented {
		v.ei.Noise = c.NextNoise()
	}
	top, err := c.Best(v.chosen[:], 0)
	if err != nil {
		return nil, err
	}
	v.ei.Predictor, v.ei.Incumbent = c.Predictor, top[0].Mean
	return &v.ei, nil
}

// ueiValuer is the unscented expected improvement over the largest unscented posterior
// mean at the places of the data, or over the largest value observed.
type ueiValuer struct {
	noisy bool
	uei   UEI
}

var _ planner.TargetJudge = (*ueiValuer)(nil)

func (v *ueiValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	var err error
	if v.uei.Transform, err = NewUnscented(c.Model.Dim(), c.Execution, DefaultKappa); err != nil {
		return nil, err
	}
	v.uei.EI.Predictor = c.Predictor
	if v.noisy {
		v.uei.EI.Incumbent = math.Inf(-1)
		for _, o := range c.Model.Observations() {
			v.uei.EI.Incumbent = max(v.uei.EI.Incumbent, o.Value)
		}
	} else {
		v.uei.EI.Incumbent = largest(means(c.Model, func(dst []float64, x *mat.Dense) { v.uei.Transform.Means(dst, c.Predictor, x) }))
	}
	return &v.uei, nil
}

// TargetMeans writes the unscented means of the posterior mean of a model of points
// (Nogueira et al., IROS 2016, Eq. 12): the target with the largest is the unscented
// optimal incumbent.
func (v *ueiValuer) TargetMeans(dst []float64, model *gp.GP, execution *mat.SymDense, x *mat.Dense) error {
	transform, err := NewUnscented(model.Dim(), execution, DefaultKappa)
	if err != nil {
		return err
	}
	p, err := model.NewPredictor(nil)
	if err != nil {
		return err
	}
	transform.Means(dst, p, x)
	return nil
}

const (
	// knowledgeBest is how many places of the space may come to be recommended: those
	// with the highest upper confidence bounds, with knowledgeBeta for β.
	knowledgeBest = 60
	knowledgeBeta = 2
)

// kgValuer is the knowledge gradient over those of the places that may come to be
// recommended, by their upper confidence bounds.
type kgValuer struct {
	kg     KG
	chosen [knowledgeBest]gp.Candidate
}

func (v *kgValuer) Acquisition(c *planner.Case) (acquire.Acquisition, error) {
	top, err := c.Best(v.chosen[:], knowledgeBeta)
	if err != nil {
		return nil, err
	}
	x := mat.NewDense(len(top), c.Model.Dim(), nil)
	for i, t := range top {
		x.SetRow(i, c.Places.RawRowView(t.Row))
	}
	lookahead, err := c.Lookahead(x)
	v.kg.Lookahead, v.kg.Noise = lookahead, c.NextNoise()
	return &v.kg, err
}

// means returns what predict says of the places of the model's observations.
func means(model *gp.GP, predict func(dst []float64, x *mat.Dense)) []float64 {
	observations := model.Observations()
	x := mat.NewDense(len(observations), model.Dim(), nil)
	for i, o := range observations {
		x.SetRow(i, o.Belief.Mean)
	}
	dst := make([]float64, len(observations))
	predict(dst, x)
	return dst
}

func largest(values []float64) float64 {
	top := math.Inf(-1)
	for _, v := range values {
		top = max(top, v)
	}
	return top
}
