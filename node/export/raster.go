package export

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/export/geotiff"
	"ugp_explorer/node/record"
)

// mostCells bounds the cells of a map: a file of so many has at most 16 MB.
const mostCells = 4_000_000

// raster is the frame of a map in the coordinates of a system. Cell (i, j), i to the
// east and j to the south, has its centre at (west + (i+½)·dx, north - (j+½)·dy).
type raster struct {
	system        *crs.System
	west, north   float64
	dx, dy        float64
	width, height int
}

// newRaster returns the frame of a map of the area with cells of about cell metres.
func newRaster(a *area, system *crs.System, cell float64) (raster, error) {
	r := raster{system: system}
	r.dx, r.dy = system.Step(record.Place(a.region.Centre()), cell)
	bound := orb.Bound{Min: orb.Point{math.Inf(1), math.Inf(1)}, Max: orb.Point{math.Inf(-1), math.Inf(-1)}}
	lo, hi := a.region.Bounds()
	// The edges of the map frame's box are slightly curved in the system, by far less than
	// a cell on each of their pieces.
	const pieces = 16
	for k := range pieces + 1 {
		s := float64(k) / pieces
		x, y := lo[0]+s*(hi[0]-lo[0]), lo[1]+s*(hi[1]-lo[1])
		for _, p := range []record.Place{{x, lo[1]}, {x, hi[1]}, {lo[0], y}, {hi[0], y}} {
			bound = bound.Extend(system.Of(p))
		}
	}
	first, last := math.Floor(bound.Min[0]/r.dx), math.Ceil(bound.Max[0]/r.dx)
	bottom, top := math.Floor(bound.Min[1]/r.dy), math.Ceil(bound.Max[1]/r.dy)
	r.west, r.north = first*r.dx, top*r.dy
	if n := (last - first) * (top - bottom); n > mostCells {
		return r, fmt.Errorf("export: cells of %g m: the map would have %.3g cells, at most %d are allowed", cell, n, mostCells)
	}
	r.width, r.height = int(last-first), int(top-bottom)
	return r, nil
}

// places returns the centres of the cells inside the area, in the map frame, and the
// indices of these cells in the file.
func (r *raster) places(a *area) (places []record.Place, cells []int, err error) {
	for k := range r.width * r.height {
		c := record.Place{r.west + (float64(k%r.width)+0.5)*r.dx, r.north - (float64(k/r.width)+0.5)*r.dy}
		p, err := r.system.Place(c)
		if err != nil {
			return nil, nil, err
		}
		if a.contains(p) {
			places, cells = append(places, p), append(cells, k)
		}
	}
	return places, cells, nil
}

// file returns the GeoTIFF of values at cells. Other cells have no data.
func (r *raster) file(values []float64, cells []int, description, unit string) ([]byte, error) {
	m := &geotiff.Image{
		Width: r.width, Height: r.height, Values: make([]float32, r.width*r.height),
		West: r.west, North: r.north, DX: r.dx, DY: r.dy, EPSG: r.system.EPSG(), LocalName: crs.LocalName,
		Description: description, Unit: unit, Software: "ugp_explorer",
	}
	for i := range m.Values {
		m.Values[i] = float32(math.NaN())
	}
	for i, k := range cells {
		m.Values[k] = float32(values[i])
	}
	return geotiff.Encode(m)
}
