// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package covariate

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/tiff/lzw"

	"ugp_explorer/planner/earth"
)

// tiff is the first image of a TIFF file: TIFF 6.0, or BigTIFF, with the tags of OGC 19-008r4 and
// GDAL's value of cells without data.
type tiff struct {
	file  io.ReaderAt
	size  int64
	order binary.ByteOrder
	big   bool // BigTIFF
	tags  map[uint16]entry

	width, height         int
	chunkWidth, chunkRows int // of a strip or tile
	bits                  int // of a sample
	format                int // of a sample: unsigned, signed or float
	compression           int
	predictor             int
	noData                float64 // NaN: none
}

// entry is a tag of a directory: its values are somewhere in the file.
type entry struct {
	fieldType uint16
	count     uint64
	at        int64
}

// The tags that are read, by their numbers.
const (
	tagSubfile, maskSubfile                                                 = 254, 4
	tagWidth, tagHeight, tagBits, tagCompression, tagPhotometric            = 256, 257, 258, 259, 262
	tagStrips, tagSamples, tagRows, tagStripBytes                           = 273, 277, 278, 279
	tagPredictor, tagTileWidth, tagTileHeight, tagTiles, tagTileBytes       = 317, 322, 323, 324, 325
	tagFormat, tagScale, tagTie, tagTransform, tagKeys, tagTexts, tagNoData = 339, 33550, 33922, 34264, 34735, 34737, 42113

	unsigned, signed, float = 1, 2, 3
	colourTable             = 3
)

// Limits of what is read: columns or rows, values of a tag, and images that may be masks.
const (
	widest      = 1 << 20
	mostNumbers = 1 << 24
	mostImages  = 100
)

// openTIFF reads the directory of a file's first image.
func openTIFF(file io.ReaderAt, size int64) (*tiff, error) {
	t := &tiff{file: file, size: size, order: binary.LittleEndian}
	head, err := t.bytes(0, min(16, size))
	if err != nil || len(head) < 16 {
		return nil, errors.New("it is too short for a TIFF file")
	}
	if head[0] == 'M' {
		t.order = binary.BigEndian
	}
	next := int64(t.order.Uint32(head[4:]))
	if t.big = t.order.Uint16(head[2:]) == 43; t.big {
		next = int64(t.order.Uint64(head[8:]))
	}
	if t.tags, next, err = t.directory(next); err != nil {
		return nil, err
	}
	// Behind it are smaller images of the same, which are not needed, and masks.
	for k := 0; next != 0 && k < mostImages; k++ {
		other := &tiff{file: t.file, size: t.size, order: t.order, big: t.big}
		if other.tags, next, err = other.directory(next); err != nil {
			return nil, err
		}
		if other.number(tagSubfile, 0)&maskSubfile != 0 {
			return nil, errors.New("it has an internal mask, want a nodata value for cells without a value, as gdalwarp -dstnodata writes it")
		}
	}
	return t, t.describe()
}

// formError is a form of GeoTIFF that GDAL converts to one that is read.
type formError struct{ error }

// directory reads the tags of an image, and where the next directory is; 0: there is none.
func (t *tiff) directory(at int64) (tags map[uint16]entry, next int64, err error) {
	countBytes, entryBytes, nextBytes := int64(2), int64(12), int64(4)
	if t.big {
		countBytes, entryBytes, nextBytes = 8, 20, 8
	}
	count, err := t.bytes(at, countBytes)
	if err != nil {
		return nil, 0, err
	}
	n := int64(t.order.Uint16(count[max(0, len(count)-8):]))
	if t.big {
		n = int64(min(t.order.Uint64(count), 1<<16))
	}
	directory, err := t.bytes(at+countBytes, n*entryBytes+nextBytes)
	if err != nil {
		return nil, 0, err
	}
	tags = map[uint16]entry{}
	for k := int64(0); k < n; k++ {
		b, place := directory[k*entryBytes:], at+countBytes+k*entryBytes
		e := entry{fieldType: t.order.Uint16(b[2:]), count: uint64(t.order.Uint32(b[4:])), at: place + 8}
		inline := uint64(4)
		if t.big {
			e.count, e.at, inline = t.order.Uint64(b[4:]), place+12, 8
		}
		if width := widths[e.fieldType]; width > 0 && e.count > inline/width {
			e.at = int64(t.order.Uint32(b[8:]))
			if t.big {
				e.at = int64(t.order.Uint64(b[12:]))
			}
		}
		tags[t.order.Uint16(b)] = e
	}
	if next = int64(t.order.Uint32(directory[n*entryBytes:])); t.big {
		next = int64(t.order.Uint64(directory[n*entryBytes:]))
	}
	return tags, next, nil
}

// widths are the numbers of bytes of TIFF's field types; others are not needed.
var widths = map[uint16]uint64{1: 1, 2: 1, 3: 2, 4: 4, 12: 8, 16: 8}

// bytes reads n bytes, if the file has them.
func (t *tiff) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || n > t.size || at > t.size-n {
		return nil, fmt.Errorf("it is damaged or cut off: it has %d bytes and points to %d bytes at %d", t.size, n, at)
	}
	b := make([]byte, n)
	_, err := t.file.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

// numbers returns the values of a tag; nil without one.
func (t *tiff) numbers(tag uint16) ([]float64, error) {
	e, ok := t.tags[tag]
	if !ok {
		return nil, nil
	}
	width := widths[e.fieldType]
	if width == 0 || e.count > mostNumbers {
		return nil, fmt.Errorf("tag %d has type %d and %d values, which is not allowed", tag, e.fieldType, e.count)
	}
	b, err := t.bytes(e.at, int64(e.count*width))
	if err != nil {
		return nil, err
	}
	list := make([]float64, e.count)
	for i := range list {
		switch c := b[uint64(i)*width:]; e.fieldType {
		case 3:
			list[i] = float64(t.order.Uint16(c))
		case 4:
			list[i] = float64(t.order.Uint32(c))
		case 12:
			list[i] = math.Float64frombits(t.order.Uint64(c))
		case 16:
			list[i] = float64(t.order.Uint64(c))
		default:
			list[i] = float64(c[0])
		}
	}
	return list, nil
}

// number returns the first value of a tag as a whole number, or the one that TIFF has without it.
func (t *tiff) number(tag uint16, otherwise int) int {
	list, err := t.numbers(tag)
	if err != nil || len(list) == 0 {
		return otherwise
	}
	return int(max(min(list[0], math.MaxInt32), 0))
}

// describe reads how the image is stored, and refuses what cannot be read.
func (t *tiff) describe() error {
	t.width, t.height = t.number(tagWidth, 0), t.number(tagHeight, 0)
	t.bits, t.format = t.number(tagBits, 1), t.number(tagFormat, unsigned)
	t.compression, t.predictor = t.number(tagCompression, 1), t.number(tagPredictor, 1)
	t.chunkWidth, t.chunkRows = t.width, min(t.number(tagRows, t.height), t.height)
	if _, ok := t.tags[tagTiles]; ok {
		t.chunkWidth, t.chunkRows = t.number(tagTileWidth, 0), t.number(tagTileHeight, 0)
	}
	bands := t.number(tagSamples, 1)
	integers, floats := []int{8, 16, 32}, []int{32, 64}
	switch {
	case t.width < 1 || t.height < 1 || t.width > widest || t.height > widest:
		return fmt.Errorf("it has %d × %d cells, want 1 to %d of each", t.width, t.height, widest)
	case t.chunkWidth < 1 || t.chunkRows < 1 || t.chunkWidth > widest || t.chunkRows > widest:
		return fmt.Errorf("its tiles have %d × %d cells, want 1 to %d of each", t.chunkWidth, t.chunkRows, widest)
	case bands != 1:
		return formError{fmt.Errorf("it has %d bands, want one: select it with gdal_translate -b NUMBER", bands)}
	case t.number(tagPhotometric, 1) == colourTable:
		return errors.New("its numbers are entries of a colour table, such as classes, want a quantity: export the values instead of the picture, or make a raster of 0 and 1 for one class")
	case t.format != float && !slices.Contains(integers, t.bits), t.format == float && !slices.Contains(floats, t.bits), t.format < unsigned || t.format > float:
		return formError{fmt.Errorf("its values have %d bits in sample format %d, want integers of 8, 16 or 32 bits (formats 1, 2) or floats of 32 or 64 (format 3)", t.bits, t.format)}
	case !slices.Contains([]int{1, 5, 8, 32946}, t.compression):
		return formError{fmt.Errorf("its compression is number %d, want none (1), LZW (5) or deflate (8, 32946)", t.compression)}
	case t.predictor < 1 || t.predictor > 3 || t.predictor == 3 && t.format != float:
		return formError{fmt.Errorf("its predictor is number %d, want 1, 2, or 3 with floats", t.predictor)}
	}
	t.noData = math.NaN()
	if e, ok := t.tags[tagNoData]; ok && e.count <= 64 {
		text, err := t.bytes(e.at, int64(e.count))
		if err != nil {
			return err
		}
		if v, err := strconv.ParseFloat(strings.Trim(string(text), " \x00"), 64); err == nil {
			t.noData = v
			if t.format == float && t.bits == 32 {
				t.noData = float64(float32(v))
			}
		}
	}
	return nil
}

// place returns the coordinate system of the image and the map from its columns and rows, which are
// whole numbers at the north-western corners of cells, to coordinates in it.
func (t *tiff) place(datum *earth.Datum) (*earth.System, affine, error) {
	keys, err := t.numbers(tagKeys)
	if err != nil {
		return nil, affine{}, err
	}
	const modelType, rasterType, geographic, projected, point, onEarth = 1024, 1025, 2048, 3072, 2, 2
	value := map[int]int{}
	for k := 4; k+3 < len(keys); k += 4 {
		if keys[k+1] == 0 { // the value itself
			value[int(keys[k])] = int(keys[k+3])
		}
	}
	code := value[projected]
	if code == 0 {
		code = value[geographic]
	}
	var system *earth.System
	if m := value[modelType]; code == 0 && (m < 1 || m > onEarth) {
		system, err = earth.New(earth.Local, nil)
	} else if system, err = earth.Known(t.systemName(keys, code)); err == nil {
		system, err = system.On(datum)
	}
	if err != nil {
		return nil, affine{}, err
	}
	scale, err1 := t.numbers(tagScale)
	tie, err2 := t.numbers(tagTie)
	matrix, err3 := t.numbers(tagTransform)
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, affine{}, err
	}
	var a affine
	switch {
	case len(scale) >= 2 && len(tie) >= 6:
		a = affine{scale[0], 0, tie[3] - tie[0]*scale[0], 0, -scale[1], tie[4] + tie[1]*scale[1]}
	case len(matrix) == 16:
		a = affine{matrix[0], matrix[1], matrix[3], matrix[4], matrix[5], matrix[7]}
	default:
		return nil, affine{}, errors.New("it does not state its position: want the tags ModelPixelScale and ModelTiepoint of a GeoTIFF; with a world file beside it, GDAL writes them: gdal_translate -a_srs EPSG:NUMBER IN.tif OUT.tif")
	}
	if value[rasterType] == point { // the numbers belong to the centres of cells
		a[2], a[5] = a[2]-(a[0]+a[1])/2, a[5]-(a[3]+a[4])/2
	}
	return system, a, nil
}

// systemName returns what the file calls its system: the number or, if that says that the file defines it, the name.
func (t *tiff) systemName(keys []float64, code int) string {
	const userDefined, citation, geographicCitation, projectedCitation = 32767, 1026, 2049, 3073
	if code != userDefined && code != 0 {
		return fmt.Sprintf("EPSG:%d", code)
	}
	var all []byte
	if e, ok := t.tags[tagTexts]; ok && e.count < 1<<16 {
		all, _ = t.bytes(e.at, int64(e.count))
	}
	name := ""
	for k := 4; k+3 < len(keys); k += 4 {
		id, place, n, from := int(keys[k]), int(keys[k+1]), int(keys[k+2]), int(keys[k+3])
		if place != tagTexts || id != citation && id != projectedCitation && (id != geographicCitation || name != "") || from < 0 || n < 0 || from+n > len(all) {
			continue
		}
		text, _, _ := strings.Cut(strings.TrimRight(string(all[from:from+n]), "\x00"), "|")
		if _, quoted, esri := strings.Cut(text, `PROJCS["`); esri {
			text, _, _ = strings.Cut(quoted, `"`)
		}
		if _, err := earth.Known(text); err == nil || name == "" {
			name = text
		}
	}
	return cmp.Or(name, "a system of its own")
}

// read adds the image's values between the given columns and rows to the grid. Each row is read by
// itself, so that a strip may be as large as the image.
func (t *tiff) read(g *grid) error {
	placesTag, lengthsTag := uint16(tagStrips), uint16(tagStripBytes)
	if _, ok := t.tags[tagTiles]; ok {
		placesTag, lengthsTag = tagTiles, tagTileBytes
	}
	places, err1 := t.numbers(placesTag)
	lengths, err2 := t.numbers(lengthsTag)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	across, down := (t.width+t.chunkWidth-1)/t.chunkWidth, (t.height+t.chunkRows-1)/t.chunkRows
	if n := across * down; len(places) < n || len(lengths) < n {
		return fmt.Errorf("it has %d strips or tiles, want %d", min(len(places), len(lengths)), n)
	}
	row := make([]byte, t.chunkWidth*t.bits/8)
	for k := range across * down {
		west, north := k%across*t.chunkWidth, k/across*t.chunkRows
		if lengths[k] == 0 || west >= g.lastColumn || west+t.chunkWidth <= g.firstColumn || north >= g.lastRow || north+t.chunkRows <= g.firstRow {
			continue // outside; or GDAL left it out, since it has no data
		}
		if err := t.readChunk(io.NewSectionReader(t.file, int64(places[k]), int64(lengths[k])), row, west, north, g); err != nil {
			return fmt.Errorf("the cells from column %d and row %d: %w", west, north, err)
		}
	}
	return nil
}

// readChunk adds the values of a strip or tile, whose first cell is at a column and row.
func (t *tiff) readChunk(packed io.Reader, row []byte, west, north int, g *grid) error {
	data := io.NopCloser(packed)
	switch t.compression {
	case 5:
		data = lzw.NewReader(packed, lzw.MSB, 8)
	case 8, 32946:
		var err error
		if data, err = zlib.NewReader(packed); err != nil {
			return err
		}
	}
	defer data.Close() // of a reader of what is in memory
	scratch := bytes.Clone(row)
	for j := north; j < min(north+t.chunkRows, t.height, g.lastRow); j++ {
		if _, err := io.ReadFull(data, row); err != nil {
			return fmt.Errorf("row %d: %w", j, err)
		}
		if j < g.firstRow {
			continue
		}
		t.undo(row, scratch)
		for i := max(west, g.firstColumn); i < min(west+t.chunkWidth, t.width, g.lastColumn); i++ {
			if v := t.sample(row[(i-west)*t.bits/8:]); v != t.noData {
				g.add(i, j, v)
			}
		}
	}
	return nil
}

// undo undoes the predictor of a row: TIFF 6.0, section 14, and Adobe's technical note 3 for floats.
func (t *tiff) undo(row, scratch []byte) {
	width := t.bits / 8
	switch {
	case t.predictor == 2:
		for k := width; k < len(row); k += width {
			switch before, b := row[k-width:], row[k:]; width {
			case 1:
				b[0] += before[0]
			case 2:
				t.order.PutUint16(b, t.order.Uint16(b)+t.order.Uint16(before))
			case 4:
				t.order.PutUint32(b, t.order.Uint32(b)+t.order.Uint32(before))
			case 8:
				t.order.PutUint64(b, t.order.Uint64(b)+t.order.Uint64(before))
			}
		}
	case t.predictor == 3:
		// First all most significant bytes, then the next, as differences.
		for k := 1; k < len(row); k++ {
			row[k] += row[k-1]
		}
		copy(scratch, row)
		n := len(row) / width
		for i := range n {
			for b := range width {
				to := b
				if t.order == binary.ByteOrder(binary.LittleEndian) {
					to = width - 1 - b
				}
				row[i*width+to] = scratch[b*n+i]
			}
		}
	}
}

// sample returns the first value in b.
func (t *tiff) sample(b []byte) float64 {
	switch 100*t.format + t.bits {
	case 100*unsigned + 8:
		return float64(b[0])
	case 100*unsigned + 16:
		return float64(t.order.Uint16(b))
	case 100*unsigned + 32:
		return float64(t.order.Uint32(b))
	case 100*signed + 8:
		return float64(int8(b[0]))
	case 100*signed + 16:
		return float64(int16(t.order.Uint16(b)))
	case 100*signed + 32:
		return float64(int32(t.order.Uint32(b)))
	case 100*float + 32:
		return float64(math.Float32frombits(t.order.Uint32(b)))
	}
	return math.Float64frombits(t.order.Uint64(b))
}
