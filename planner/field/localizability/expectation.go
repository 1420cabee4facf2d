package localizability

import "math"

// The weights of the interpolation, which is that of Shepard (1968): a cell at distance r
// counts (1 + (r/edge)²)^-4. What is expected without it, the mean of all cells or what the
// zone states, counts like a cell at typicalDistance or zoneDistance.
const (
	typicalDistance = 8 // cells
	zoneDistance    = 1 // cells
)

// Expectation is the expected variance of the robot's position at every place, as it was
// when it was taken from a [Map]. It does not change with the map, but it computes places
// when they are asked for, so that it is for one goroutine at a time. It allocates nothing
// then.
//
// It is a mean of variances, not of their logarithms, since that is what the law of total
// variance adds to the execution noise. So a place that the robot does not know counts as
// rather poor where some places are.
type Expectation struct {
	m       *Map
	seen    []known
	highest float64 // m²
	mean    float64 // m²
	values  []float64
}

// known is a cell that the robot has been in.
type known struct {
	x, y, weight, variance float64
	zone                   int
}

// Expect returns what is expected now, nil if nothing was seen and nothing is stated.
func (m *Map) Expect(now int64) *Expectation {
	if m.seen == 0 && len(m.cfg.Zones) == 0 {
		return nil
	}
	e := &Expectation{
		m:    &Map{cfg: m.cfg, edge: m.edge, nx: m.nx, ny: m.ny, zone: m.zone}, // without what changes
		seen: make([]known, 0, m.seen), values: make([]float64, len(m.cells)),
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
		s := known{x: at[0], y: at[1], weight: min(c.weight, 1) * m.left(c.stamp, now), variance: c.variance, zone: m.zone[k]}
		e.seen = append(e.seen, s)
		e.highest = max(e.highest, c.variance)
		if s.zone == 0 {
			sum += s.weight * c.variance
			weight += s.weight
		}
	}
	if weight > 0 {
		e.mean = sum / weight
	}
	for _, z := range m.cfg.Zones {
		e.highest = max(e.highest, z.StdDev*z.StdDev)
	}
	return e
}

// Highest returns the largest variance that was seen or is stated anywhere, m².
func (e *Expectation) Highest() float64 { return e.highest }

// Mean returns the mean of the variances that were seen outside of zones, m²; 0 if none was.
func (e *Expectation) Mean() float64 { return e.mean }

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
	prior, total := e.mean, shepard(typicalDistance*typicalDistance)
	if zone > 0 {
		s := e.m.cfg.Zones[zone-1].StdDev
		prior, total = s*s, shepard(zoneDistance*zoneDistance)
	}
	sum, scale := total*prior, 1/(e.m.edge*e.m.edge)
	for i := range e.seen {
		c := &e.seen[i]
		if c.zone != zone {
			continue
		}
		dx, dy := c.x-at[0], c.y-at[1]
		w := c.weight * shepard((dx*dx+dy*dy)*scale)
		sum += w * c.variance
		total += w
	}
	return sum / total
}

// shepard returns the weight of a cell, from the square of its distance in cells.
func shepard(r2 float64) float64 {
	w := 1 / ((1 + r2) * (1 + r2))
	return w * w
}
