package localizability

import "math"

// The weights of the interpolation, which is that of Shepard (1968) on the logarithm of the
// variance: a cell at distance r counts (1 + (r/edge)²)^-2. What is expected without it, the
// typical value or that of the zone, counts like a cell at typicalDistance or zoneDistance.
const (
	typicalDistance = 8 // cells
	zoneDistance    = 1 // cells
)

// leastVariance is the least variance that is interpolated, m²: that of a millimetre.
const leastVariance = 1e-6

// Expectation is the expected variance of the robot's position at every place, as it was
// when it was taken from a [Map]. It does not change with the map, but it computes places
// when they are asked for, so that it is for one goroutine at a time. It allocates nothing
// then.
type Expectation struct {
	m       *Map
	seen    []known
	typical float64 // m²; 0: nothing is known
	highest float64 // m²
	zones   bool    // there are zones
	values  []float64
}

// known is a cell that the robot has been in.
type known struct {
	x, y, weight, log float64
	zone              int
}

// Expect returns what is expected now, nil if nothing was seen and nothing is stated.
func (m *Map) Expect(now int64) *Expectation {
	if m.seen == 0 && len(m.cfg.Zones) == 0 {
		return nil
	}
	e := &Expectation{
		m:    &Map{cfg: m.cfg, edge: m.edge, nx: m.nx, ny: m.ny, zone: m.zone}, // without what changes
		seen: make([]known, 0, m.seen), values: make([]float64, len(m.cells)), zones: len(m.cfg.Zones) > 0,
	}
	for k := range e.values {
		e.values[k] = math.NaN()
	}
	sum, weight := 0.0, 0.0
	for k, c := range m.cells {
		if c.weight == 0 {
			continue
		}
		at := m.centre(k)
		s := known{x: at[0], y: at[1], weight: min(c.weight, 1) * m.left(c.stamp, now), log: math.Log(max(c.variance, leastVariance)), zone: m.zone[k]}
		e.seen = append(e.seen, s)
		e.highest = max(e.highest, c.variance)
		if s.zone == 0 {
			sum += s.weight * s.log
			weight += s.weight
		}
	}
	if weight > 0 {
		e.typical = math.Exp(sum / weight)
	}
	for _, z := range m.cfg.Zones {
		e.highest = max(e.highest, z.StdDev*z.StdDev)
	}
	return e
}

// Highest returns the largest variance that is expected anywhere, m².
func (e *Expectation) Highest() float64 { return e.highest }

// Typical returns the variance where nothing is known, m².
func (e *Expectation) Typical() float64 { return e.typical }

// Variance returns the expected variance of the robot's position in x and in y at a place,
// m². It is the same within a cell.
func (e *Expectation) Variance(x []float64) float64 {
	k := e.m.index(x[0], x[1])
	if math.IsNaN(e.values[k]) {
		e.values[k] = e.compute(k)
	}
	return e.values[k]
}

func (e *Expectation) compute(k int) float64 {
	zone, at := e.m.zone[k], e.m.centre(k)
	prior, weight := e.typical, shepard(typicalDistance*typicalDistance)
	if zone > 0 {
		s := e.m.cfg.Zones[zone-1].StdDev
		prior, weight = s*s, shepard(zoneDistance*zoneDistance)
	}
	sum, total := 0.0, 0.0
	if prior > 0 || zone > 0 {
		sum, total = weight*math.Log(max(prior, leastVariance)), weight
	}
	scale := 1 / (e.m.edge * e.m.edge)
	for i := range e.seen {
		c := &e.seen[i]
		if c.zone != zone {
			continue
		}
		dx, dy := c.x-at[0], c.y-at[1]
		w := c.weight * shepard((dx*dx+dy*dy)*scale)
		sum += w * c.log
		total += w
	}
	if total == 0 {
		return e.typical
	}
	return math.Exp(sum / total)
}

// shepard returns the weight of a cell, from the square of its distance in cells.
func shepard(r2 float64) float64 { return 1 / ((1 + r2) * (1 + r2)) }
