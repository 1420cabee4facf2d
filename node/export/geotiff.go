// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"html"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
)

// mostCells bounds the cells of a map: the largest file has 16 MB.
const mostCells = 4_000_000

// ErrCells is wrapped by the error of Write for a raster of too many cells.
var ErrCells = errors.New("cells")

// raster is the frame of a map in the coordinates of a system, which is written as GeoTIFF: TIFF 6.0
// with the tags of OGC 19-008r4 and those of GDAL for the value of cells without data and the unit.
// Cell (i, j), i to the east and j to the south, has its centre at (west + (i+½)·dx, north - (j+½)·dy).
type raster struct {
	system        *earth.System
	west, north   float64
	dx, dy        float64
	width, height int
}

// newRaster returns the frame of a map of the area with cells of about cell metres.
func newRaster(a *area, system *earth.System, cell float64) (raster, error) {
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
		return r, fmt.Errorf("export: %w of %g m: the map would have %.3g cells, at most %d are allowed", ErrCells, cell, n, mostCells)
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

// TIFF's field types, and the number of bytes of their values.
const (
	typeASCII  = 2
	typeShort  = 3
	typeLong   = 4
	typeDouble = 12
)

var sizes = map[uint16]int{typeASCII: 1, typeShort: 2, typeLong: 4, typeDouble: 8}

// tag is an entry of the image file directory.
type tag struct {
	id, fieldType uint16
	data          []byte
}

// geotiff returns the file of values at cells. Other cells have no data, NaN. Equal maps give equal
// bytes.
func (r *raster) geotiff(values []float64, cells []int, description, unit string) []byte {
	data := make([]byte, 4*r.width*r.height)
	for k := range r.width * r.height {
		binary.LittleEndian.PutUint32(data[4*k:], math.Float32bits(float32(math.NaN())))
	}
	for i, k := range cells {
		binary.LittleEndian.PutUint32(data[4*k:], math.Float32bits(float32(values[i])))
	}
	const stripBytes = 64 << 10 // of an uncompressed strip, about
	rows := min(r.height, max(1, stripBytes/(4*r.width)))
	file := []byte{'I', 'I', 42, 0, 0, 0, 0, 0} // little endian; bytes 4 to 7 are the directory's place
	var places, lengths []uint32
	for strip := range slices.Chunk(data, rows*4*r.width) {
		var packed bytes.Buffer
		w, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression) // a level that there is
		_, _ = w.Write(strip)                                      // a buffer takes all
		_ = w.Close()
		places, lengths = append(places, uint32(len(file))), append(lengths, uint32(packed.Len()))
		file = append(file, packed.Bytes()...)
	}
	metadata := item("DESCRIPTION", "description", description)
	if unit != "" {
		metadata += item("UNITTYPE", "unittype", unit)
	}
	keys, names := r.geoKeys()
	const deflate, contiguous, float = 8, 1, 3
	tags := []tag{
		longs(256, uint32(r.width)),
		longs(257, uint32(r.height)),
		shorts(258, 32),                             // BitsPerSample
		shorts(259, deflate),                        // Compression
		shorts(262, 1),                              // PhotometricInterpretation: black is zero
		text(270, description),                      // ImageDescription
		longs(273, places...),                       // StripOffsets
		shorts(277, 1),                              // SamplesPerPixel
		longs(278, uint32(rows)),                    // RowsPerStrip
		longs(279, lengths...),                      // StripByteCounts
		shorts(284, contiguous),                     // PlanarConfiguration
		text(305, "ugp_explorer"),                   // Software
		shorts(339, float),                          // SampleFormat
		doubles(33550, r.dx, r.dy, 0),               // ModelPixelScale
		doubles(33922, 0, 0, 0, r.west, r.north, 0), // ModelTiepoint
		shorts(34735, keys...),                      // GeoKeyDirectory
		text(42112, "<GDALMetadata>"+metadata+"</GDALMetadata>"),
		text(42113, "nan"), // GDAL_NODATA
	}
	if names != "" {
		tags = append(tags, text(34737, names)) // GeoAsciiParams
	}
	return directory(file, tags)
}

// item returns an item of the tag GDAL_METADATA. GDAL escapes its text twice, and undoes it twice.
func item(name, role, text string) string {
	return fmt.Sprintf(`<Item name="%s" sample="0" role="%s">%s</Item>`, name, role, html.EscapeString(html.EscapeString(text)))
}

// geoKeys returns the directory of GeoKeys (OGC 19-008r4, 7.1), sorted, and the text that
// they refer to.
func (r *raster) geoKeys() (keys []uint16, text string) {
	const modelType, rasterType, citation, geographic, angularUnits, projected, linearUnits = 1024, 1025, 1026, 2048, 2054, 3072, 3076
	const modelProjected, modelGeographic, userDefined, rasterIsArea, metre, degree = 1, 2, 32767, 1, 9001, 9102
	epsg := uint16(r.system.EPSG)
	switch r.system.Kind {
	case earth.WGS84:
		keys = []uint16{modelType, 0, 1, modelGeographic, rasterType, 0, 1, rasterIsArea, geographic, 0, 1, epsg, angularUnits, 0, 1, degree}
	case earth.UTM, earth.Mercator:
		keys = []uint16{modelType, 0, 1, modelProjected, rasterType, 0, 1, rasterIsArea, projected, 0, 1, epsg, linearUnits, 0, 1, metre}
	default:
		text = earth.LocalName + "|"
		keys = []uint16{modelType, 0, 1, userDefined, rasterType, 0, 1, rasterIsArea, citation, 34737, uint16(len(text)), 0, linearUnits, 0, 1, metre}
	}
	const version, revision, minor = 1, 1, 0
	return append([]uint16{version, revision, minor, uint16(len(keys) / 4)}, keys...), text
}

// directory appends the image file directory with the tags to a file, and notes in the file
// where it is.
func directory(file []byte, tags []tag) []byte {
	slices.SortFunc(tags, func(a, b tag) int { return cmp.Compare(a.id, b.id) })
	file = even(file)
	at := make([]uint32, len(tags)) // of the data of each tag that is larger than 4 bytes
	for i, t := range tags {
		if len(t.data) > 4 {
			at[i] = uint32(len(file))
			file = even(append(file, t.data...))
		}
	}
	binary.LittleEndian.PutUint32(file[4:], uint32(len(file)))
	file = binary.LittleEndian.AppendUint16(file, uint16(len(tags)))
	for i, t := range tags {
		file = binary.LittleEndian.AppendUint16(file, t.id)
		file = binary.LittleEndian.AppendUint16(file, t.fieldType)
		file = binary.LittleEndian.AppendUint32(file, uint32(len(t.data)/sizes[t.fieldType]))
		if at[i] > 0 {
			file = binary.LittleEndian.AppendUint32(file, at[i])
		} else {
			file = append(file, append(slices.Clone(t.data), 0, 0, 0, 0)[:4]...)
		}
	}
	return append(file, 0, 0, 0, 0) // there is no other directory
}

// even pads a file to an even number of bytes, on which TIFF places everything.
func even(file []byte) []byte {
	if len(file)%2 == 1 {
		return append(file, 0)
	}
	return file
}

func shorts(id uint16, values ...uint16) tag   { return numbers(id, typeShort, values) }
func longs(id uint16, values ...uint32) tag    { return numbers(id, typeLong, values) }
func doubles(id uint16, values ...float64) tag { return numbers(id, typeDouble, values) }

func numbers(id, fieldType uint16, values any) tag {
	data, _ := binary.Append(nil, binary.LittleEndian, values) // numbers of fixed size cannot fail
	return tag{id, fieldType, data}
}

// text returns a tag with a text in UTF-8, as GDAL reads and writes it.
func text(id uint16, s string) tag {
	return tag{id: id, fieldType: typeASCII, data: append([]byte(s), 0)}
}
