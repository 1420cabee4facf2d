package report

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"

	"ugp_explorer/node/record"
)

// viridis returns the colour map of Smith and van der Walt (CC0), which people with colour
// vision deficiency can read. Its lightness increases uniformly.
func viridis() palette.ColorMap {
	return luminance(
		0x440154, 0x481A6C, 0x472F7D, 0x414487, 0x39568C, 0x31688E, 0x2A788E, 0x23888E,
		0x1F988B, 0x22A884, 0x35B779, 0x54C568, 0x7AD151, 0xA5DB36, 0xD2E21B, 0xFDE725,
	)
}

// magma returns a colour map of the same authors with the same properties. It is used for
// standard deviations, to distinguish them from values.
func magma() palette.ColorMap {
	return luminance(
		0x000004, 0x0B0924, 0x20114B, 0x3B0F70, 0x57157E, 0x721F81, 0x8C2981, 0xA8327D,
		0xC43C75, 0xDE4968, 0xF1605D, 0xFA7F5E, 0xFE9F6D, 0xFEBF84, 0xFDDEA0, 0xFCFDBF,
	)
}

func luminance(rgb ...uint32) palette.ColorMap {
	list := make([]color.Color, len(rgb))
	for i, c := range rgb {
		list[i] = color.RGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 0xFF}
	}
	m, err := moreland.NewLuminance(list)
	if err != nil {
		panic("report: " + err.Error()) // only if the lightness does not increase
	}
	return m
}

// extent returns the range of the finite values of the lists. The range of a
// constant is widened a little.
func extent(lists ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, l := range lists {
		for _, v := range l {
			if finite(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	if lo > hi {
		return 0, 1
	}
	// A relative difference below 1e-9 is rounding, not a pattern.
	if room := 1e-9 * max(math.Abs(lo), math.Abs(hi)); hi-lo <= room {
		half := max(math.Abs(lo)/100, 1e-3)
		return lo - half, hi + half
	}
	return lo, hi
}

// scaled sets the range of a colour map to the extent of the lists and returns it.
func scaled(m palette.ColorMap, lists ...[]float64) palette.ColorMap {
	lo, hi := extent(lists...)
	m.SetMin(lo)
	m.SetMax(hi)
	return m
}

// raster is a map in the form that plotters read.
type raster struct {
	grid   record.Grid
	values []float64
}

var _ plotter.GridXYZ = raster{}

func (r raster) Dims() (columns, rows int) { return r.grid.NX, r.grid.NY }
func (r raster) Z(i, j int) float64        { return r.values[j*r.grid.NX+i] }
func (r raster) X(i int) float64           { return r.grid.Centre(i, 0)[0] }
func (r raster) Y(j int) float64           { return r.grid.Centre(0, j)[1] }

// filled returns the map with each cell that is not finite replaced by the nearest finite
// cell. This colours the strip between the outline of the field and the outermost cell
// centres inside it.
func (r raster) filled() raster {
	f := raster{r.grid, slices.Clone(r.values)}
	var queue []int
	for k, v := range r.values {
		if finite(v) {
			queue = append(queue, k)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		i, j := queue[0]%r.grid.NX, queue[0]/r.grid.NX
		for _, n := range [4][2]int{{i - 1, j}, {i + 1, j}, {i, j - 1}, {i, j + 1}} {
			if n[0] < 0 || n[1] < 0 || n[0] >= r.grid.NX || n[1] >= r.grid.NY {
				continue
			}
			if k := n[1]*r.grid.NX + n[0]; !finite(f.values[k]) {
				f.values[k] = f.values[queue[0]]
				queue = append(queue, k)
			}
		}
	}
	return f
}

// heat returns the heat map with the given colours.
func (r raster) heat(m palette.ColorMap) *plotter.HeatMap {
	return &plotter.HeatMap{GridXYZ: r, Palette: m.Palette(256), Min: m.Min(), Max: m.Max(), Rasterized: true}
}
