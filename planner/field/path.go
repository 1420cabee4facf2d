package field

import "slices"

// Path returns the shortest way from one place to another that keeps the
// margin: its points, both ends among them, and its length in metres. Round a
// corner it is at the most 1.3 % of the arc longer than the ideal. Ends outside
// the region are reached straight from its nearest point, whatever lies between.
// The error is an [*UnreachableError].
func (r *Region) Path(from, to [2]float64) ([][2]float64, float64, error) {
	d := r.NewDistanceField()
	d.From(from[:])
	return d.Path(to)
}

// Path returns the way from the field's start to a place, as [Region.Path] does.
func (d *DistanceField) Path(to [2]float64) ([][2]float64, float64, error) {
	length, last, end := d.to(to)
	if last < 0 && !d.region.visible(d.start, end) {
		return nil, 0, &UnreachableError{From: d.asked, To: to, Parts: d.region.graph.parts}
	}
	points := [][2]float64{to, end}
	for i := last; i >= 0; i = d.prev[i] {
		points = append(points, d.region.graph.nodes[i])
	}
	points = append(points, d.start, d.asked)
	slices.Reverse(points)
	return slices.Compact(points), length, nil
}
