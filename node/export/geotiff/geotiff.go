// Package geotiff writes maps as GeoTIFF: TIFF 6.0 with the tags of OGC 19-008r4 and those
// of GDAL for the value of cells without data and the unit.
package geotiff

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
)

// Image is a map with one band of 32-bit floats. Its rows run from north to south, and the
// values in a row from west to east; NaN is a cell without data.
type Image struct {
	Width, Height int
	Values        []float32 // Width·Height

	West, North float64 // outer corner of the first cell, in units of the axes
	DX, DY      float64 // size of a cell, above 0

	EPSG      int    // coordinate reference system: 4326, or one projected in metres; 0: metres in a system of its own
	LocalName string // name of the system if EPSG is 0

	Description string // of the band
	Unit        string // of the values; empty: none
	Software    string // that wrote the map
}

// TIFF's field types.
const (
	typeASCII  = 2
	typeShort  = 3
	typeLong   = 4
	typeDouble = 12
)

// size returns the number of bytes of a value of a field type.
func size(fieldType uint16) int {
	return map[uint16]int{typeASCII: 1, typeShort: 2, typeLong: 4, typeDouble: 8}[fieldType]
}

// tag is an entry of the image file directory.
type tag struct {
	id, fieldType uint16
	data          []byte
}

// stripBytes is about the number of bytes of an uncompressed strip.
const stripBytes = 64 << 10

// Encode returns the file. Equal images give equal bytes. The error says what the image
// cannot have.
func Encode(m *Image) ([]byte, error) {
	if err := m.validate(); err != nil {
		return nil, err
	}
	rows := min(m.Height, max(1, stripBytes/(4*m.Width)))
	strips, err := m.strips(rows)
	if err != nil {
		return nil, err
	}
	file := []byte{'I', 'I', 42, 0, 0, 0, 0, 0} // little endian; bytes 4 to 7 are the directory's place
	var places, lengths []uint32
	for _, s := range strips {
		places, lengths = append(places, uint32(len(file))), append(lengths, uint32(len(s)))
		file = append(file, s...)
	}
	metadata, err := m.metadata()
	if err != nil {
		return nil, err
	}
	keys, names := m.geoKeys()
	const deflate, contiguous, float = 8, 1, 3
	tags := []tag{
		longs(256, uint32(m.Width)),
		longs(257, uint32(m.Height)),
		shorts(258, 32),                             // BitsPerSample
		shorts(259, deflate),                        // Compression
		shorts(262, 1),                              // PhotometricInterpretation: black is zero
		text(270, m.Description),                    // ImageDescription
		longs(273, places...),                       // StripOffsets
		shorts(277, 1),                              // SamplesPerPixel
		longs(278, uint32(rows)),                    // RowsPerStrip
		longs(279, lengths...),                      // StripByteCounts
		shorts(284, contiguous),                     // PlanarConfiguration
		text(305, m.Software),                       // Software
		shorts(339, float),                          // SampleFormat
		doubles(33550, m.DX, m.DY, 0),               // ModelPixelScale
		doubles(33922, 0, 0, 0, m.West, m.North, 0), // ModelTiepoint
		shorts(34735, keys...),                      // GeoKeyDirectory
		text(34737, names),                          // GeoAsciiParams
		text(42112, metadata),                       // GDAL_METADATA
		text(42113, "nan"),                          // GDAL_NODATA
	}
	tags = slices.DeleteFunc(tags, func(t tag) bool { return len(t.data) == 1 && t.fieldType == typeASCII }) // empty
	return directory(file, tags), nil
}

func (m *Image) validate() error {
	switch {
	case m.Width < 1 || m.Height < 1 || len(m.Values) != m.Width*m.Height:
		return fmt.Errorf("geotiff: %d values do not make %d×%d cells", len(m.Values), m.Width, m.Height)
	case len(m.Values) > math.MaxInt32/4:
		return fmt.Errorf("geotiff: %d×%d cells are too many for a TIFF file of 2 GiB", m.Width, m.Height)
	case !(m.DX > 0) || !(m.DY > 0) || math.IsInf(m.DX+m.DY, 0):
		return fmt.Errorf("geotiff: cells measure %g by %g, want finite numbers above 0", m.DX, m.DY)
	case math.IsNaN(m.West+m.North) || math.IsInf(m.West+m.North, 0):
		return fmt.Errorf("geotiff: the first corner is (%g, %g), want finite numbers", m.West, m.North)
	case m.EPSG < 0 || m.EPSG >= userDefined:
		return fmt.Errorf("geotiff: EPSG:%d is not the number of a coordinate reference system", m.EPSG)
	}
	return nil
}

// strips returns the compressed strips of so many rows.
func (m *Image) strips(rows int) (strips [][]byte, err error) {
	for values := range slices.Chunk(m.Values, rows*m.Width) {
		raw := make([]byte, 0, 4*len(values))
		for _, v := range values {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
		}
		var strip bytes.Buffer
		w, err := zlib.NewWriterLevel(&strip, zlib.BestCompression)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(raw); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		strips = append(strips, strip.Bytes())
	}
	return strips, nil
}

// Values of GeoKeys.
const (
	modelProjected  = 1
	modelGeographic = 2
	userDefined     = 32767
	rasterIsArea    = 1
	unitMetre       = 9001
	unitDegree      = 9102
	epsgWGS84       = 4326
)

// geoKeys returns the directory of GeoKeys (OGC 19-008r4, 7.1), sorted, and the text that
// they refer to.
func (m *Image) geoKeys() (keys []uint16, text string) {
	const rasterType, modelType, citation, geographic, angularUnits, projected, linearUnits = 1025, 1024, 1026, 2048, 2054, 3072, 3076
	add := func(key, place, count, value uint16) { keys = append(keys, key, place, count, value) }
	switch m.EPSG {
	case epsgWGS84:
		add(modelType, 0, 1, modelGeographic)
		add(rasterType, 0, 1, rasterIsArea)
		add(geographic, 0, 1, epsgWGS84)
		add(angularUnits, 0, 1, unitDegree)
	case 0:
		text = m.LocalName + "|"
		add(modelType, 0, 1, userDefined)
		add(rasterType, 0, 1, rasterIsArea)
		add(citation, 34737, uint16(len(text)), 0)
		add(linearUnits, 0, 1, unitMetre)
	default:
		add(modelType, 0, 1, modelProjected)
		add(rasterType, 0, 1, rasterIsArea)
		add(projected, 0, 1, uint16(m.EPSG))
		add(linearUnits, 0, 1, unitMetre)
	}
	const version, revision, minor = 1, 1, 0
	return append([]uint16{version, revision, minor, uint16(len(keys) / 4)}, keys...), text
}

// metadata returns the text of the tag GDAL_METADATA, which names band and unit. GDAL
// escapes the texts in it twice, and undoes it twice.
func (m *Image) metadata() (string, error) {
	type item struct {
		Name   string `xml:"name,attr"`
		Sample int    `xml:"sample,attr"`
		Role   string `xml:"role,attr"`
		Text   string `xml:",chardata"`
	}
	document := struct {
		XMLName xml.Name `xml:"GDALMetadata"`
		Items   []item   `xml:"Item"`
	}{Items: []item{{"DESCRIPTION", 0, "description", m.Description}}}
	if m.Unit != "" {
		document.Items = append(document.Items, item{"UNITTYPE", 0, "unittype", m.Unit})
	}
	for i := range document.Items {
		var escaped bytes.Buffer
		if err := xml.EscapeText(&escaped, []byte(document.Items[i].Text)); err != nil {
			return "", err
		}
		document.Items[i].Text = escaped.String()
	}
	b, err := xml.Marshal(document)
	return string(b), err
}

// directory appends the image file directory with the tags to a file, and tells the file
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
		file = binary.LittleEndian.AppendUint32(file, uint32(len(t.data)/size(t.fieldType)))
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

func shorts(id uint16, values ...uint16) tag {
	t := tag{id: id, fieldType: typeShort}
	for _, v := range values {
		t.data = binary.LittleEndian.AppendUint16(t.data, v)
	}
	return t
}

func longs(id uint16, values ...uint32) tag {
	t := tag{id: id, fieldType: typeLong}
	for _, v := range values {
		t.data = binary.LittleEndian.AppendUint32(t.data, v)
	}
	return t
}

func doubles(id uint16, values ...float64) tag {
	t := tag{id: id, fieldType: typeDouble}
	for _, v := range values {
		t.data = binary.LittleEndian.AppendUint64(t.data, math.Float64bits(v))
	}
	return t
}

// text returns a tag with a text in UTF-8, as GDAL reads and writes it.
func text(id uint16, s string) tag {
	return tag{id: id, fieldType: typeASCII, data: append([]byte(s), 0)}
}
