// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// Nothing read before the robot stood at its target is in a sample, though the
// field on the way is quite another.
func TestReadingsOnTheWayAreNotUsed(t *testing.T) {
	cfg := small()
	cfg.Reading.Count = 4
	w := newWorld(t, cfg)
	w.field = func(x, y float64) float64 {
		if len(w.way) > 0 {
			return 1000
		}
		return 5
	}
	m := w.mission()
	if len(m.Observations) != 4 || m.Counts["readings while not sampling"] == 0 {
		t.Fatalf("%d observations, counts %v", len(m.Observations), m.Counts)
	}
	for _, o := range m.Observations {
		near(t, "value", o.Value, 5, 0.06)
	}
}

// With fewer readings than sample.readings a sample is made after sample.wait.
func TestFewerReadingsAfterTheWait(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 1
	cfg.Reading.Count = 100
	cfg.Reading.Wait = 6
	w := newWorld(t, cfg)
	w.start()
	w.state(mission.StateSampling)
	stood := w.ex.Now()
	m := w.finish()
	if len(m.Observations) != 1 {
		t.Fatalf("%d observations: %s", len(m.Observations), m.Outcome)
	}
	near(t, "time of the sample", float64(w.sampledAt[0]-stood)/1e9, 6, 0.21) // a tick of 0.2 s
	if n := m.Observations[0].Readings; n < 23 || n > 25 {                    // 6 s at 4 Hz
		t.Errorf("%d readings, want 24 in 6 s", n)
	}
	near(t, "variance", m.Observations[0].Variance, 0.01/float64(m.Observations[0].Readings), 1e-4)
}

// Under a logarithm the model gets log10 with the variance of the delta method,
// the record and what is published keep the reading's units.
func TestTransform(t *testing.T) {
	cfg := small()
	cfg.Reading.Transform = string(record.TransformLog10)
	w := newWorld(t, cfg)
	w.field = func(x, y float64) float64 { return 1 + hill(x, y) }
	m := w.mission()
	if len(m.Observations) != 4 || m.Transform != record.TransformLog10 {
		t.Fatalf("%d observations: %s", len(m.Observations), m.Outcome)
	}
	for i, o := range m.Observations {
		near(t, "value", o.Value, w.used(1, o.Stamp)[0].Value, 1e-12)
		near(t, "variance", o.Variance, 0.01, 1e-12)
		near(t, "model value", o.ModelValue, math.Log10(o.Value), 1e-12)
		near(t, "model variance", o.ModelVariance, math.Pow(1/math.Ln10/o.Value, 2)*o.Variance, 1e-15)
		s := w.explorer.Model().Observations()[i]
		near(t, "value in the model", s.Value, o.ModelValue, 0)
		near(t, "noise in the model", s.NoiseVariance, o.ModelVariance, 0)
		if h := w.observations[i]; h.Value != o.Value || h.Variance != o.Variance {
			t.Errorf("published (%g, %g), want the reading's units", h.Value, h.Variance)
		}
	}
	r := m.Recommendation
	lo, hi := math.Pow(10, r.Mean-r.StdDev), math.Pow(10, r.Mean+r.StdDev)
	near(t, "best value in the status", w.status.BestValue, math.Pow(10, r.Mean), 1e-9)
	near(t, "its deviation", w.status.BestStddev, (hi-lo)/2, 1e-9)
}

// A value without a logarithm is a failed sample, not a hole in the model.
func TestTransformWithoutImage(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 2
	cfg.Reading.Transform = "log10"
	w := newWorld(t, cfg)
	w.field = func(x, y float64) float64 {
		if math.Hypot(x-50, y-50) < 3 { // the first target
			return -2
		}
		return 4
	}
	m := w.mission()
	if len(m.Observations) != 2 || m.Counts["samples without a logarithm"] != 1 || len(m.Skipped) != 1 {
		t.Fatalf("%d observations, %d without a logarithm, skipped %+v", len(m.Observations), m.Counts["samples without a logarithm"], m.Skipped)
	}
	if s := m.Skipped[0]; s.Target != m.Decisions[0].Target || !strings.Contains(s.Reason, "logarithm") || !strings.Contains(s.Reason, "reading.transform") {
		t.Errorf("skipped %+v", s)
	}
	for _, o := range m.Observations {
		if math.Hypot(o.Target[0]-50, o.Target[1]-50) < cfg.SkipRadius {
			t.Errorf("target %v is next to the skipped one", o.Target)
		}
	}
}

// If the sensor takes logarithms, the log shows the values without them.
func TestLogInUnits(t *testing.T) {
	cfg := small()
	cfg.Units = "log10(mg/l)"
	w := newWorld(t, cfg)
	w.exactly()
	w.mission()
	first := w.observations[0]
	reads := (&record.Mission{Units: cfg.Units}).Measured(first.Value, math.Sqrt(first.Variance))
	if log := w.log.String(); strings.Contains(log, "log10") || !strings.Contains(log, "m: "+reads) || !strings.Contains(reads, " mg/l (") {
		t.Errorf("10^%g is not %q in the log:\n%s", first.Value, reads, log)
	}
}

// A mission without samples says what is wrong with the readings, and not only that none came.
func TestReadingsOfAnotherType(t *testing.T) {
	for name, continuous := range map[string]bool{"stops": false, "driving": true} {
		cfg := small()
		cfg.Reading.Type, cfg.Reading.StdDev = "Float64", 0.5
		if continuous {
			cfg.Reading.AtStops, cfg.Mission.Budget.Samples = false, 0
			cfg.Mission.Budget.Distance = 5000
		}
		w := newWorld(t, cfg)
		other := advertise[std_msgs.Float32](w, "reading", ros.SensorData())
		w.read = func(_, _ float64, n int) { w.must(other.Publish(&std_msgs.Float32{Data: float32(n)})) }
		twice := ""
		hear(w, "ugp_explorer/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus) {
			if strings.Count(m.Text, "waiting for a reading") > 1 {
				twice = m.Text
			}
		})
		m := w.mission()
		w.run(3 * time.Second)
		if twice != "" {
			t.Errorf("%s: a status says twice for what it waits: %q", name, twice)
		}
		const want = "waiting for a reading on /reading [std_msgs/msg/Float64]: /robot does not fit: type"
		if len(m.Observations) != 0 || !strings.Contains(m.Outcome, "failures in a row, the last: no sample: no") || !strings.Contains(m.Outcome, want) {
			t.Errorf("%s: %d samples, %q, want that it says %q", name, len(m.Observations), m.Outcome, want)
		}
		if !continuous && !strings.HasSuffix(m.Outcome, "; if a sample takes longer, set budget.sample_time") {
			t.Errorf("%s: %q does not say what a slow probe needs", name, m.Outcome)
		}
	}
}

// A sensor's error codes are readings outside the limits: they are refused, counted and named with their value, and no sample
// has one.
func TestReadingsOutsideTheLimits(t *testing.T) {
	for _, c := range []struct {
		code     float64
		min, max float64
		why      string
	}{
		{math.NaN(), math.NaN(), math.NaN(), "its value is not a finite number"},
		{1e300, math.NaN(), math.NaN(), "its value is 1e+300"},
		{65535, math.NaN(), 60, "and readings above 60 (reading.max) are refused"},
		{-127, -40, math.NaN(), "and readings below -40 (reading.min) are refused"},
	} {
		cfg := small()
		cfg.Reading.Min, cfg.Reading.Max = c.min, c.max
		cfg.Reading.Count = 3
		w := newWorld(t, cfg)
		w.field = func(x, y float64) float64 {
			if w.readings%3 == 0 {
				return c.code
			}
			return hill(x, y)
		}
		m := w.mission()
		if m.Counts[record.CountOutside] < 4 || !strings.Contains(w.log.String(), c.why) {
			t.Errorf("%g: %d are counted; the log:\n%s", c.code, m.Counts[record.CountOutside], &w.log)
		}
		for _, o := range m.Observations {
			near(t, "value", o.Value, hill(o.Belief.X, o.Belief.Y), 0.15)
		}
		if len(m.Observations) != 4 {
			t.Errorf("%g: %d samples", c.code, len(m.Observations))
		}
	}
}

// A reading that comes twice, by a relay or in a bag from two recorders, is one measurement.
func TestReadingsThatComeTwice(t *testing.T) {
	cfg := small()
	cfg.Reading.Count = 4
	w := newWorld(t, cfg)
	w.read = func(x, y float64, n int) {
		m := ugp_explorer_msgs.FieldReading{Value: hill(x, y) + 0.05*math.Sin(float64(n)), Variance: 0.01}
		m.Header.Stamp = ros.TimeMsg(w.ex.Now())
		w.must(w.reading.Publish(&m))
		w.must(w.reading.Publish(&m))
	}
	m := w.mission()
	if n := m.Counts[record.CountStrayStamp]; n < 16 || !strings.Contains(w.log.String(), "one measurement came twice, and counts once") {
		t.Errorf("%d readings came twice; the log:\n%s", n, &w.log)
	}
	for _, o := range m.Observations {
		if o.Readings != 4 {
			t.Errorf("sample %d has %d readings, want 4", o.Sequence, o.Readings)
		}
	}
}

// Without stamps, the same value at once is the same measurement, and the same value a period later another one.
func TestReadingsWithoutStampsThatComeTwice(t *testing.T) {
	for _, copies := range []int{1, 2, 3} {
		cfg := small()
		cfg.Reading.Type, cfg.Reading.StdDev, cfg.Reading.Count = "Float64", 0.1, 4
		w := newWorld(t, cfg)
		bare := advertise[std_msgs.Float64](w, "reading", ros.SensorData())
		w.read = func(x, y float64, n int) {
			for range copies {
				w.must(bare.Publish(&std_msgs.Float64{Data: math.Round(hill(x, y))}))
			}
		}
		m := w.mission()
		if n := m.Counts[record.CountStrayStamp]; n < int64(16*(copies-1)) || copies == 1 && n > 0 {
			t.Errorf("%d copies: %d readings came twice", copies, n)
		}
		for _, o := range m.Observations {
			if o.Readings != 4 {
				t.Errorf("%d copies: sample %d has %d readings, want 4", copies, o.Sequence, o.Readings)
			}
		}
	}
}

// A sensor that states a variance which is none is named with it, and not only said to be silent.
func TestVarianceThatIsNone(t *testing.T) {
	for _, variance := range []float64{-1, math.NaN(), math.Inf(1)} {
		w := newWorld(t, small())
		w.variance = variance
		w.start()
		w.until("a target that is given up", func() bool { return strings.Contains(w.log.String(), "a target is given up") })
		want := fmt.Sprintf("what /robot publishes is refused: its variance is %g, want a finite number above 0, or 0 if the sensor states none", variance)
		if !strings.Contains(w.log.String(), want) {
			t.Errorf("the log does not say %q:\n%s", want, &w.log)
		}
	}
}

// What the definition of a type allows is known, a parameter says otherwise, and limits that leave nothing are an error.
func TestLimitsOfTypes(t *testing.T) {
	for _, c := range []struct {
		typ         string
		max         float64
		least, most float64
	}{
		{"RelativeHumidity", math.NaN(), 0, 1},
		{"RelativeHumidity", 100, 0, 100},
		{"Temperature", math.NaN(), -273.15, localization.Huge},
		{"Float64", math.NaN(), -localization.Huge, localization.Huge},
	} {
		cfg := small()
		cfg.Reading.Type, cfg.Reading.StdDev, cfg.Reading.Max = c.typ, 0.1, c.max
		if s := cfg.Sense().Reading; s.Least != c.least || s.Most != c.most {
			t.Errorf("%s: %g to %g, want %g to %g", c.typ, s.Least, s.Most, c.least, c.most)
		}
	}
	cfg := small()
	cfg.Reading.Min, cfg.Reading.Max = 5, 5
	if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), "reading.min is 5 and reading.max is 5") {
		t.Errorf("%v", err)
	}
}
