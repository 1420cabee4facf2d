package localization

import (
	"errors"
	"math"
	"slices"
)

// ErrTooFewReadings is returned for a stop with fewer readings than MinReadings.
var ErrTooFewReadings = errors.New("localization: too few readings at this stop")

// StopConfig says how the readings of one stop are combined into one observation.
type StopConfig struct {
	// MinReadings is the number of readings below which there is no observation.
	MinReadings int
	// MaxReadings is the number of readings kept; later ones are dropped and counted.
	MaxReadings int
	// ReadingStdDev (value's unit) is the standard deviation of a reading that does
	// not state its variance, from the sensor's data sheet or from earlier stops.
	ReadingStdDev float64
	// PriorReadings is the weight of the stated standard deviation against the
	// spread found at the stop, as a number of readings. Zero uses the spread
	// alone, which needs at least two readings.
	PriorReadings float64
	// SharedStdDev (value's unit) is the standard deviation of an error common to
	// all readings of a stop: the calibration, or how well this hole represents its
	// surroundings. More readings do not reduce it.
	SharedStdDev float64
	// OutlierThreshold is the distance from the median, in robust standard
	// deviations, above which a reading is refused. Zero refuses none. Iglewicz &
	// Hoaglin 1993 advise 3.5.
	OutlierThreshold float64
}

// minForOutliers is the number of readings below which the median absolute deviation is too
// uncertain to refuse a reading.
const minForOutliers = 5

// DefaultStopConfig accepts 1 to 1000 readings. A reading that states no variance has the standard
// deviation 1 in the value's unit, with the weight of 4 readings. No reading is refused as an
// outlier: only the user decides to leave out measurements.
func DefaultStopConfig() StopConfig {
	return StopConfig{MinReadings: 1, MaxReadings: 1000, ReadingStdDev: 1, PriorReadings: 4}
}

// Validate returns an error that lists every invalid field of c.
func (c StopConfig) Validate() error {
	p := problems{of: "StopConfig"}
	p.atLeast("MinReadings", c.MinReadings, 1)
	p.atLeast("MaxReadings", c.MaxReadings, max(c.MinReadings, 1))
	p.positive("ReadingStdDev", c.ReadingStdDev)
	p.notNegative("PriorReadings", c.PriorReadings)
	if c.PriorReadings == 0 && c.MinReadings < 2 {
		p.add("PriorReadings", c.PriorReadings, "above 0, or MinReadings at least 2")
	}
	p.notNegative("SharedStdDev", c.SharedStdDev)
	p.notNegative("OutlierThreshold", c.OutlierThreshold)
	return p.err()
}

// Observation is the result of one stop: a value, its variance, and the belief about the place.
type Observation struct {
	Belief      Belief
	Value       float64
	Variance    float64 // of Value
	Readings    int     // used
	Outliers    int     // refused
	First, Last int64   // stamps of the readings used (ns)
}

// Stop collects the readings of one stop.
type Stop struct {
	cfg      StopConfig
	readings []Matched
	overflow uint64
	sorted   []float64 // workspace
}

// NewStop returns an empty stop, or an error that lists every invalid field of cfg.
func NewStop(cfg StopConfig) (*Stop, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Stop{cfg: cfg}, nil
}

// Add adds a reading from a Matcher; ok is false when there are MaxReadings already.
func (s *Stop) Add(m Matched) (ok bool) {
	if len(s.readings) == s.cfg.MaxReadings {
		s.overflow++
		return false
	}
	s.readings = append(s.readings, m)
	return true
}

// Len returns the number of readings.
func (s *Stop) Len() int { return len(s.readings) }

// Overflow returns the number of readings dropped since NewStop.
func (s *Stop) Overflow() uint64 { return s.overflow }

// Reset forgets the readings, ready for the next stop.
func (s *Stop) Reset() { s.readings = s.readings[:0] }

// Combine returns the observation of the readings so far, or ErrTooFewReadings.
//
// Each reading has the variance v_i that it states, or ReadingStdDev². With
// weights w_i = 1/v_i the value is ȳ = Σ w_i·y_i / Σ w_i, and its variance
//
//	Var[ȳ] = S² / Σ w_i + SharedStdDev²
//	S² = (ν₀ + Σ w_i·(y_i−ȳ)²) / (ν₀ + n − 1)      ν₀ = PriorReadings
//
// S² is the ratio of the spread found to the spread stated; the prior draws it
// towards one (the scaled-inverse-χ² posterior; Gelman et al., Bayesian Data
// Analysis, 2013, §3.2). When no reading states a variance, Var[ȳ] is the pooled
// variance over n. When one does, S² is at least one: a spread smaller than stated
// comes from chance or a shared error, and a larger one shows that the stated
// variance is too small (the scale factor of the Particle Data Group, Review of
// Particle Physics, Introduction).
//
// The belief has the moments of the mixture of the readings' beliefs, with the same
// weights w_i. Its covariance is not divided by n: the poses of a stop share one
// localisation error, and more readings do not reduce it.
func (s *Stop) Combine() (Observation, error) {
	centre, reach := s.outlierLimits()
	var o Observation
	var sumW, sumWY, sumWBeliefX, sumWBeliefY float64
	stated := false
	for i := range s.readings {
		m := &s.readings[i]
		if s.isOutlier(m, centre, reach) {
			o.Outliers++
			continue
		}
		w := 1 / s.variance(m)
		stated = stated || m.Reading.Variance > 0
		sumW += w
		sumWY += w * m.Reading.Value
		sumWBeliefX += w * m.Belief.X
		sumWBeliefY += w * m.Belief.Y
		if o.Readings == 0 || m.Reading.Stamp < o.First {
			o.First = m.Reading.Stamp
		}
		if o.Readings == 0 || m.Reading.Stamp > o.Last {
			o.Last = m.Reading.Stamp
		}
		o.Readings++
	}
	if o.Readings < s.cfg.MinReadings {
		return Observation{Readings: o.Readings, Outliers: o.Outliers}, ErrTooFewReadings
	}
	o.Value = sumWY / sumW
	b := Belief{X: sumWBeliefX / sumW, Y: sumWBeliefY / sumW}
	var chi2 float64
	for i := range s.readings {
		m := &s.readings[i]
		if s.isOutlier(m, centre, reach) {
			continue
		}
		w := 1 / s.variance(m)
		r := m.Reading.Value - o.Value
		chi2 += w * r * r
		dx, dy := m.Belief.X-b.X, m.Belief.Y-b.Y
		share := w / sumW
		b.XX += share * (m.Belief.XX + dx*dx)
		b.XY += share * (m.Belief.XY + dx*dy)
		b.YY += share * (m.Belief.YY + dy*dy)
	}
	scale := (s.cfg.PriorReadings + chi2) / (s.cfg.PriorReadings + float64(o.Readings-1))
	if stated {
		scale = math.Max(scale, 1)
	}
	o.Belief = b
	o.Variance = scale/sumW + s.cfg.SharedStdDev*s.cfg.SharedStdDev
	return o, nil
}

func (s *Stop) variance(m *Matched) float64 {
	if v := m.Reading.Variance; v > 0 {
		return v
	}
	return s.cfg.ReadingStdDev * s.cfg.ReadingStdDev
}

// outlierLimits returns the median and the largest accepted distance from it:
// OutlierThreshold times 1.4826·MAD, the standard deviation of a Gaussian with that
// median absolute deviation. The distance is infinite when outliers are not refused.
func (s *Stop) outlierLimits() (centre, reach float64) {
	n := len(s.readings)
	if s.cfg.OutlierThreshold == 0 || n < minForOutliers {
		return 0, math.Inf(1)
	}
	s.sorted = s.sorted[:0]
	for i := range s.readings {
		s.sorted = append(s.sorted, s.readings[i].Reading.Value)
	}
	centre = median(s.sorted)
	for i, v := range s.sorted {
		s.sorted[i] = math.Abs(v - centre)
	}
	return centre, s.cfg.OutlierThreshold * 1.4826 * median(s.sorted)
}

// isOutlier reports whether a reading is refused. It never refuses a reading within
// the threshold of its own standard deviation (stated, or ReadingStdDev), so that
// readings rounded to a few equal numbers (a MAD of zero) do not exclude the others.
func (s *Stop) isOutlier(m *Matched, centre, reach float64) bool {
	if math.IsInf(reach, 1) {
		return false
	}
	own := s.cfg.OutlierThreshold * math.Sqrt(s.variance(m))
	return math.Abs(m.Reading.Value-centre) > math.Max(reach, own)
}

// median sorts v and returns its median.
func median(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	if n%2 == 1 {
		return v[n/2]
	}
	return v[n/2-1]/2 + v[n/2]/2
}
