package web

import (
	"math"
	"sync"

	"ugp_explorer/node/painter"
)

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
	values := painter.Values(m.Data, m.Transform, name)
	if values == nil {
		return nil
	}
	low, high := painter.Extent(values)
	data := painter.Encode(m.Data.Grid, values, low, high)
	a.encoded[name] = data
	return data
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
