package geotiff_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ugp_explorer/node/export/geotiff"
	"ugp_explorer/sim/rig/gdaltest"
)

// info is what gdalinfo -json says of a file.
type info struct {
	Size             [2]int
	GeoTransform     [6]float64
	CoordinateSystem struct{ WKT string }
	Metadata         map[string]map[string]string
	Bands            []struct {
		Type, Description, Unit string
		NoDataValue             any
	}
}

// GDAL finds size, place, system, names and every value as they were written.
func TestGDALReads(t *testing.T) {
	gdaltest.Need(t)
	for _, c := range []struct {
		name                 string
		width, height        int
		west, north, dx, dy  float64
		epsg                 int
		local, inWKT, author string
	}{
		{"degrees", 3, 2, -0.36, 51.81, 1e-4, 5e-5, 4326, "", `GEOGCRS["WGS 84"`, `ID["EPSG",4326]`},
		{"utm", 300, 177, 681988.5, 5743202.25, 10, 10, 32630, "", `PROJCRS["WGS 84 / UTM zone 30N"`, `ID["EPSG",32630]`},
		{"one cell", 1, 1, 0, 0, 0.1, 0.2, 32719, "", `PROJCRS["WGS 84 / UTM zone 19S"`, `ID["EPSG",32719]`},
		{"local", 5, 70, -10, 20, 2.5, 2.5, 0, "map frame of a mission", `ENGCRS["map frame of a mission"`, `"metre",1`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &geotiff.Image{
				Width: c.width, Height: c.height, West: c.west, North: c.north, DX: c.dx, DY: c.dy, EPSG: c.epsg, LocalName: c.local,
				Description: `mean of "K" <µ> & more`, Unit: "mg/l", Software: "ugp_explorer",
			}
			for i := range c.width * c.height {
				m.Values = append(m.Values, float32(math.Sin(float64(i)))+float32(i))
			}
			m.Values[len(m.Values)-1] = float32(math.NaN())
			data, err := geotiff.Encode(m)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "map.tif")
			if err := os.WriteFile(file, data, 0o666); err != nil {
				t.Fatal(err)
			}
			var got info
			gdaltest.JSON(t, &got, "gdalinfo", "-json", file)
			if got.Size != [2]int{c.width, c.height} {
				t.Errorf("size %v, want %d×%d", got.Size, c.width, c.height)
			}
			if want := [6]float64{c.west, c.dx, 0, c.north, 0, -c.dy}; got.GeoTransform != want {
				t.Errorf("geotransform %v, want %v", got.GeoTransform, want)
			}
			if wkt := got.CoordinateSystem.WKT; !strings.HasPrefix(wkt, c.inWKT) || !strings.Contains(wkt, c.author) {
				t.Errorf("coordinate system %s, want %s with %s", wkt, c.inWKT, c.author)
			}
			if area := got.Metadata[""]["AREA_OR_POINT"]; area != "Area" {
				t.Errorf("pixels are %s, want Area", area)
			}
			if software := got.Metadata[""]["TIFFTAG_SOFTWARE"]; software != m.Software {
				t.Errorf("software %q, want %q", software, m.Software)
			}
			b := got.Bands[0]
			if len(got.Bands) != 1 || b.Type != "Float32" || b.Description != m.Description || b.Unit != m.Unit || fmt.Sprint(b.NoDataValue) != "NaN" {
				t.Errorf("bands %+v", got.Bands)
			}
			xyz := gdaltest.Run(t, "", "gdallocationinfo", "-valonly", file, "0", "0")
			if v, err := strconv.ParseFloat(strings.TrimSpace(xyz), 64); len(m.Values) > 1 && (err != nil || float32(v) != m.Values[0]) {
				t.Errorf("first value %q, want %g", xyz, m.Values[0])
			}
			ascii := filepath.Join(t.TempDir(), "map.xyz")
			gdaltest.Run(t, "", "gdal_translate", "-q", "-of", "XYZ", "-co", "DECIMAL_PRECISION=9", file, ascii)
			rows, err := os.ReadFile(ascii)
			if err != nil {
				t.Fatal(err)
			}
			fields := strings.Fields(string(rows))
			if len(fields) != 3*len(m.Values) {
				t.Fatalf("%d numbers, want %d", len(fields), 3*len(m.Values))
			}
			for i, want := range m.Values {
				x, _ := strconv.ParseFloat(fields[3*i], 64)
				y, _ := strconv.ParseFloat(fields[3*i+1], 64)
				v, err := strconv.ParseFloat(fields[3*i+2], 64)
				wantX, wantY := c.west+(float64(i%c.width)+0.5)*c.dx, c.north-(float64(i/c.width)+0.5)*c.dy
				same := math.Abs(v-float64(want)) <= 1e-6*math.Abs(float64(want)) || math.IsNaN(v) && math.IsNaN(float64(want))
				if err != nil || !same || math.Abs(x-wantX) > 1e-6*c.dx+1e-8 || math.Abs(y-wantY) > 1e-6*c.dy+1e-8 {
					t.Fatalf("value %d is %s at (%s, %s), want %g at (%g, %g)", i, fields[3*i+2], fields[3*i], fields[3*i+1], want, wantX, wantY)
				}
			}
		})
	}
}

func TestRefuses(t *testing.T) {
	good := geotiff.Image{Width: 1, Height: 1, Values: []float32{1}, DX: 1, DY: 1}
	if _, err := geotiff.Encode(&good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*geotiff.Image){
		"size":   func(m *geotiff.Image) { m.Width = 2 },
		"no row": func(m *geotiff.Image) { m.Height, m.Values = 0, nil },
		"cell":   func(m *geotiff.Image) { m.DY = 0 },
		"corner": func(m *geotiff.Image) { m.West = math.NaN() },
		"system": func(m *geotiff.Image) { m.EPSG = 1 << 20 },
	} {
		m := good
		change(&m)
		if _, err := geotiff.Encode(&m); err == nil {
			t.Errorf("%s: %+v is taken", name, m)
		}
	}
}
