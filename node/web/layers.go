package web

import (
	"encoding/binary"
	"math"
	"sync"

	"ugp_explorer/node/record"
)

// layer is one kind of map.
type layer struct {
	name   string
	has    func(*Maps) bool
	values func(*Maps) []float64
}

// layers are those that the page can show, in the user's units; the acquisition function is in
// those of the model.
var layers = []layer{
	{"mean", (*Maps).known, func(m *Maps) []float64 {
		return each(m.Data.Mean, func(i int, mean float64) float64 { return m.Transform.Inverse(mean) })
	}},
	{"stddev", (*Maps).known, func(m *Maps) []float64 {
		return each(m.Data.StdDev, func(i int, sd float64) float64 { return m.Transform.Spread(m.Data.Mean[i], sd) })
	}},
	{"acquisition", func(m *Maps) bool { return m.known() && m.Data.Acquisition != nil }, func(m *Maps) []float64 { return m.Data.Acquisition }},
	{"truth", func(m *Maps) bool { return m.Truth != nil }, func(m *Maps) []float64 { return m.Truth() }},
}

func (m *Maps) known() bool { return m.Data.Mean != nil && m.Data.StdDev != nil }

func each(values []float64, fn func(i int, v float64) float64) []float64 {
	r := make([]float64, len(values))
	for i, v := range values {
		r[i] = v
		if !math.IsNaN(v) {
			r[i] = fn(i, v)
		}
	}
	return r
}

// atlas holds the encoded layers of the newest maps. They are encoded when somebody asks first,
// on that request's goroutine.
type atlas struct {
	mu      sync.Mutex
	version uint64
	encoded map[string][]byte
}

// get returns a layer of the maps with that version; nil if they have no such layer.
func (a *atlas) get(version uint64, m *Maps, name string) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.version != version || a.encoded == nil {
		a.version, a.encoded = version, map[string][]byte{}
	}
	if data, ok := a.encoded[name]; ok {
		return data
	}
	for _, l := range layers {
		if l.name == name && l.has(m) {
			data := encode(m.Data.Grid, l.values(m))
			a.encoded[name] = data
			return data
		}
	}
	return nil
}

const (
	topLevel = 254 // of a value
	noLevel  = 255 // of a cell without a value
)

// encode returns a map in the form that the package comment describes.
func encode(g record.Grid, values []float64) []byte {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 0, 0
	}
	b := append(make([]byte, 0, 60+len(values)), "UGPM"...)
	b = binary.LittleEndian.AppendUint32(b, 1)
	b = binary.LittleEndian.AppendUint32(b, uint32(g.NX))
	b = binary.LittleEndian.AppendUint32(b, uint32(g.NY))
	for _, v := range []float64{g.X, g.Y, g.Cell, lo, hi} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	scale := 0.0
	if hi > lo {
		scale = topLevel / (hi - lo)
	}
	for _, v := range values {
		if !finite(v) {
			b = append(b, noLevel)
			continue
		}
		b = append(b, uint8(math.Round((v-lo)*scale)))
	}
	return b
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
