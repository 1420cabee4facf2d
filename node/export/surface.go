package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/node/record"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
)

// ErrNoSamples is the error for a mission that knew no sample: there is nothing to map.
var ErrNoSamples = errors.New("export: the mission has no samples, so there is no map")

// Surface is what is known of the field as a function of places: mean and standard deviation,
// model units.
type Surface func(at []record.Place) (mean, stdDev []float64)

// Posterior returns the surface of a mixture, for samples whose targets are the places of
// the map. execution is Σ̂, m²; nil: targets are points. A Surface uses the predictor's
// workspace, so it is for one goroutine.
func Posterior(known fit.Mixture, execution *mat.SymDense) (Surface, error) {
	predictor, err := known.NewPredictor(execution)
	if err != nil {
		return nil, err
	}
	return func(at []record.Place) (mean, stdDev []float64) {
		mean, stdDev = make([]float64, len(at)), make([]float64, len(at))
		if len(at) == 0 {
			return mean, stdDev
		}
		places := mat.NewDense(len(at), 2, nil)
		for i, p := range at {
			places.SetRow(i, p[:])
		}
		predictor.PredictBatch(mean, stdDev, places)
		for i, v := range stdDev {
			stdDev[i] = math.Sqrt(v)
		}
		return mean, stdDev
	}, nil
}

// Relearn returns the surface of a mission's record: the posterior of its samples under each
// of its models. That is the surface with which the mission ended. The error wraps
// [ErrNoSamples] if the record has no hyper-parameters, because no sample was learnt.
func Relearn(m *record.Mission) (Surface, error) {
	method, err := planner.Robot().Method(m.Method)
	if err != nil {
		return nil, fmt.Errorf("export: the samples of this mission cannot be learnt: %w", err)
	}
	if len(m.Hyper) == 0 {
		return nil, ErrNoSamples
	}
	fitted, err := single(m).GP()
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	execution := symmetric(m.Noise)
	samples := samplesOf(m, method.Form, execution)
	if isSet(m, "execution.local") && !method.Form.Points() {
		kernel := fitted.Kernel()
		for i := range samples {
			samples[i].NoiseVariance += kernel.Spread(samples[i].Belief)
		}
	}
	models := m.Models
	if len(models) == 0 {
		models = []record.Model{single(m)}
	}
	var known fit.Mixture
	for _, model := range models {
		g, err := posterior(model, samples)
		if err != nil {
			return nil, err
		}
		known = append(known, fit.Member{Model: g, Weight: model.Weight})
	}
	return Posterior(known, method.Form.QueryCov(execution))
}

// samplesOf returns all samples of a record, in the order in which they are in the model.
func samplesOf(m *record.Mission, form planner.SampleForm, execution *mat.SymDense) (samples []gp.Observation) {
	add := func(o *record.Observation) {
		located := gp.Belief{Mean: []float64{o.Belief.X, o.Belief.Y}, Cov: symmetric(ptr(o.Belief.Covariance()))}
		samples = append(samples, gp.Observation{
			Belief: form.Input(located, o.Target[:], execution), Value: o.ModelValue, NoiseVariance: o.ModelVariance,
		})
	}
	for i := range m.Earlier {
		add(&m.Earlier[i])
	}
	for i := range m.Observations {
		add(&m.Observations[i])
	}
	for i := range m.Team {
		add(&m.Team[i].Observation)
	}
	return samples
}

// single returns the model of the hyper-parameters that were learnt last.
func single(m *record.Mission) record.Model {
	return record.Model{Weight: 1, Hyper: m.Hyper[len(m.Hyper)-1].Hyper}
}

func posterior(m record.Model, samples []gp.Observation) (*gp.GP, error) {
	h, err := m.GP()
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	g, err := gp.NewSparse(h, gp.DefaultSparseConfig())
	if err == nil {
		err = g.AddAll(samples)
	}
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return g, nil
}

func ptr[T any](v T) *T { return &v }

// symmetric returns a covariance as a matrix, nil for nil.
func symmetric(c *record.Covariance) *mat.SymDense {
	if c == nil {
		return nil
	}
	return mat.NewSymDense(2, []float64{c.XX, c.XY, c.XY, c.YY})
}

// isSet reports whether a parameter of the explorer of a mission is true.
func isSet(m *record.Mission, name string) bool {
	for _, parameters := range m.Settings {
		if on, _ := parameters[name].(bool); on {
			return true
		}
	}
	return false
}

// numbers returns a parameter's list of numbers, of a mission under way or of a record that
// was read; nil: it is no such list.
func numbers(list any) (values []float64) {
	switch list := list.(type) {
	case []float64:
		return list
	case []any:
		for _, v := range list {
			switch v := v.(type) {
			case float64:
				values = append(values, v)
			case int64:
				values = append(values, float64(v))
			case json.Number:
				f, err := v.Float64()
				if err != nil {
					return nil
				}
				values = append(values, f)
			default:
				return nil
			}
		}
	}
	return values
}

// Datum returns the map's origin of a mission: the explorer's field.datum or, for an outline
// in metres, the datum of a filter whose parameters are in the record; nil: it is unknown.
func Datum(m *record.Mission) *field.Datum {
	for _, name := range []string{"field.datum", "datum"} {
		for _, parameters := range m.Settings {
			if list := numbers(parameters[name]); len(list) == 2 {
				return &field.Datum{Lon: list[0], Lat: list[1]}
			}
		}
	}
	return nil
}
