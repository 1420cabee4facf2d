// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package interop

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
)

// heard is what a program in C says that it saw: the words of its lines, by the
// first of them.
type heard map[string][][]string

func parse(t *testing.T, p *process) heard {
	t.Helper()
	h := heard{}
	for line := range strings.Lines(p.out.String()) {
		words := strings.Fields(line)
		if len(words) < 2 {
			t.Fatalf("the line %q of %v", line, p.Args)
		}
		h[words[0]] = append(h[words[0]], words[1:])
	}
	return h
}

// one returns the words of the only line of a kind.
func (h heard) one(t *testing.T, kind string) []string {
	t.Helper()
	if len(h[kind]) != 1 {
		t.Fatalf("%d lines of %s, want one", len(h[kind]), kind)
	}
	return h[kind][0]
}

func (h heard) numbers(t *testing.T, words []string) []float64 {
	t.Helper()
	n := make([]float64, len(words))
	for i, w := range words {
		var err error
		n[i], err = strconv.ParseFloat(w, 64)
		must.OK(t, err)
	}
	return n
}

// checkObservations: every one of the record is heard, to the last bit, and is what
// the robot measured, with the belief that its odometry claimed.
func checkObservations(t *testing.T, h heard, m *record.Mission) {
	t.Helper()
	if len(h["observation"]) != samples || len(m.Observations) != samples {
		t.Fatalf("%d observations heard, %d recorded, want %d", len(h["observation"]), len(m.Observations), samples)
	}
	for i, o := range m.Observations {
		n := h.numbers(t, h["observation"][i])
		b := o.Belief
		want := []float64{float64(i), n[1], b.X, b.Y, b.XX, b.XY, b.YY, o.Value, o.Variance, o.Target[0], o.Target[1]}
		for k := range want {
			if n[k] != want[k] {
				t.Errorf("number %d of observation %d is heard as %v, recorded as %v", k, i, n[k], want[k])
			}
		}
		if math.Abs(n[1]-o.Stamp) > 1e-6 {
			t.Errorf("observation %d is stamped %f, recorded %f", i, n[1], o.Stamp)
		}
		if o.Readings != perSample || math.Hypot(b.X-o.Target[0], b.Y-o.Target[1]) > tolerance {
			t.Errorf("observation %d has %d readings at (%g, %g) for %v", i, o.Readings, b.X, b.Y, o.Target)
		}
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"value", o.Value, field(b.X, b.Y)}, {"variance", o.Variance, readingVariance / perSample},
			{"xx", b.XX, varX}, {"xy", b.XY, covXY}, {"yy", b.YY, varY},
		} {
			if math.Abs(c.got-c.want) > 1e-9 {
				t.Errorf("observation %d has %s %g, the robot sent %g", i, c.what, c.got, c.want)
			}
		}
	}
}

// checkModel: the status has what the record has.
func checkModel(t *testing.T, h heard, m *record.Mission) {
	t.Helper()
	r, hyper := m.Recommendation, m.Hyper[len(m.Hyper)-1]
	want := fmt.Sprint([]float64{r.Target[0], r.Target[1], r.Value, r.StdDev}, []float64{hyper.SignalVariance, hyper.LengthScales[0], hyper.NoiseVariance, hyper.Mean})
	if got := fmt.Sprint(h.numbers(t, h.one(t, "best")), h.numbers(t, h.one(t, "model"))); got != want {
		t.Errorf("the status says %s, the record %s", got, want)
	}
}

// surface is the map of the record, the mixture of the posteriors of its models, for targets.
func surface(t *testing.T, m *record.Mission) func(x, y float64) (mean, stddev float64) {
	t.Helper()
	if len(m.Models) < 2 {
		t.Fatalf("the record has %d models, want several kernels", len(m.Models))
	}
	models := make([]*gp.GP, len(m.Models))
	for i, r := range m.Models {
		kind, err := gp.ParseKind(r.Kernel)
		must.OK(t, err)
		models[i], err = gp.New(gp.Hyper{
			Kind: kind, SignalVariance: r.SignalVariance, LengthScales: r.LengthScales, NoiseVariance: r.NoiseVariance, Mean: r.Mean, MeanStdDev: r.MeanStdDev,
		})
		must.OK(t, err)
		for _, o := range m.Observations {
			b := gp.Point(o.Belief.X, o.Belief.Y)
			b.Cov = mat.NewSymDense(2, []float64{o.Belief.XX, o.Belief.XY, o.Belief.XY, o.Belief.YY})
			must.OK(t, models[i].Add(gp.Observation{Belief: b, Value: o.Value, NoiseVariance: o.Variance, OnePlace: m.AtOnePlace(&o)}))
		}
	}
	at := gp.Point(0, 0)
	at.Cov = mat.NewSymDense(2, []float64{execution * execution, 0, 0, execution * execution})
	return func(x, y float64) (mean, stddev float64) {
		at.Mean[0], at.Mean[1] = x, y
		square := 0.0
		for i, model := range models {
			mu, v := model.Posterior(at)
			mean += m.Models[i].Weight * mu
			square += m.Models[i].Weight * (v + mu*mu)
		}
		return mean, math.Sqrt(square - mean*mean)
	}
}

// checkMap holds the map, whose every cell was looked at in C, against the map
// of the record: some cells, the sums over all, and its size.
func checkMap(t *testing.T, h heard, m *record.Mission) {
	t.Helper()
	const large, cellLimit = 900_000, 1_000_000 // bytes, of more than a dozen UDP datagrams
	n := h.numbers(t, h.one(t, "map"))
	left, bottom, width, height, inside := n[0], n[1], int(n[3]), int(n[4]), int(n[6])
	if n[2] != float64(float32(cell)) && math.Abs(n[2]-cell) > 1e-8 || n[5] < large || width*height > cellLimit || n[9] != 0 {
		t.Errorf("the map is %v", n)
	}
	predict := surface(t, m)
	in, sumMean, sumStdDev := 0, 0.0, 0.0
	for k := range width * height {
		x, y := left+(float64(k%width)+0.5)*cell, bottom+(float64(k/width)+0.5)*cell
		if x < 0 || x > 40 || y < 0 || y > 30-x/4 {
			continue
		}
		mean, stddev := predict(x, y)
		in, sumMean, sumStdDev = in+1, sumMean+mean, sumStdDev+stddev
	}
	const area = 40 * (20 + 30) / 2 // m²
	if in != inside || float64(in)*cell*cell < 0.98*area {
		t.Errorf("%d cells are inside, want %d: %g m² of %d", inside, in, float64(in)*cell*cell, area)
	}
	if !alike(n[7], sumMean) || !alike(n[8], sumStdDev) {
		t.Errorf("means and deviations add up to %g and %g, want %g and %g", n[7], n[8], sumMean, sumStdDev)
	}
	if len(h["cell"]) < 20 {
		t.Errorf("only %d cells were shown", len(h["cell"]))
	}
	for _, words := range h["cell"] {
		c := h.numbers(t, words)
		mean, stddev := predict(left+(c[0]+0.5)*cell, bottom+(c[1]+0.5)*cell)
		if !alike(c[2], mean) || !alike(c[3], stddev) {
			t.Errorf("cell %g, %g has %g ± %g, want %g ± %g", c[0], c[1], c[2], c[3], mean, stddev)
		}
	}
}

// alike allows for the rounding of sums that were made in another order.
func alike(got, want float64) bool { return math.Abs(got-want) <= 1e-7*math.Abs(want) }
