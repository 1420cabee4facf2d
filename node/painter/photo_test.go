// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package painter

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/earth"
)

// mercator returns the place in tiles of a zoom, by the formulas of OpenStreetMap's wiki "Slippy map tilenames".
func mercator(z int, lon, lat float64) (x, y float64) {
	n, phi := math.Exp2(float64(z)), lat*math.Pi/180
	return n * (lon + 180) / 360, n * (1 - math.Log(math.Tan(phi)+1/math.Cos(phi))/math.Pi) / 2
}

// tilesOver returns tiles of a zoom that are green but for a red square, whose side is given in metres, about a place.
func tilesOver(t *testing.T, z int, lon, lat, side float64) fstest.MapFS {
	t.Helper()
	dir := fstest.MapFS{}
	x, y := mercator(z, lon, lat)
	metre := math.Exp2(float64(z)) / (2 * math.Pi * 6378137 * math.Cos(lat*math.Pi/180)) // tiles
	for i := int(x) - 4; i <= int(x)+4; i++ {
		for j := int(y) - 4; j <= int(y)+4; j++ {
			tile := image.NewPaletted(image.Rect(0, 0, 256, 256), color.Palette{color.RGBA{0, 200, 0, 255}, color.RGBA{250, 0, 0, 255}})
			for u := range 256 {
				for v := range 256 {
					at := max(math.Abs(float64(i)+(float64(u)+0.5)/256-x), math.Abs(float64(j)+(float64(v)+0.5)/256-y))
					if at < side/2*metre {
						tile.SetColorIndex(u, v, 1)
					}
				}
			}
			var b bytes.Buffer
			must.OK(t, png.Encode(&b, tile))
			dir[fmt.Sprintf("%d/%d/%d.png", z, i, j)] = &fstest.MapFile{Data: b.Bytes()}
		}
	}
	return dir
}

// What is at a longitude and latitude in the tiles is there in the photo.
func TestPhotoIsWhereItBelongs(t *testing.T) {
	for _, d := range []earth.Datum{{Lon: 8.0471, Lat: 52.2726}, {Lon: -56.9, Lat: -33.51}, {Lon: 25, Lat: 66}} {
		bound := orb.Bound{Min: orb.Point{-300, 100}, Max: orb.Point{500, 700}} // the datum is outside
		for _, at := range []orb.Point{{-280, 120}, {480, 690}, {100, 400}} {
			lon, lat := d.LonLat(at[0], at[1])
			dir := tilesOver(t, 17, lon, lat, 20)
			p, err := ReadTiles(dir, d, bound)
			must.OK(t, err)
			img, err := jpeg.Decode(bytes.NewReader(p.JPEG))
			if err != nil || p.X != -380 || p.Y != 20 || p.Width != 960 || p.Height != 760 {
				t.Fatalf("the photo is at %g, %g, %g × %g m: %v", p.X, p.Y, p.Width, p.Height, err)
			}
			size := img.Bounds().Size()
			for _, c := range []struct {
				dx, dy float64
				red    bool
			}{{0, 0, true}, {8, 8, true}, {-8, -8, true}, {13, 0, false}, {-13, 0, false}, {0, 13, false}, {0, -13, false}} {
				px := (at[0] + c.dx - p.X) / p.Width * float64(size.X)
				py := (p.Y + p.Height - at[1] - c.dy) / p.Height * float64(size.Y)
				r, g, _, _ := img.At(int(px), int(py)).RGBA()
				if (r > g) != c.red {
					t.Errorf("datum %v: %g, %g m beside %v: red %d, green %d, want red: %v", d, c.dx, c.dy, at, r>>8, g>>8, c.red)
				}
			}
		}
	}
}

func TestTilesThatCannotBeUsed(t *testing.T) {
	d, bound := earth.Datum{Lon: 8.0471, Lat: 52.2726}, orb.Bound{Max: orb.Point{400, 300}}
	good := tilesOver(t, 17, d.Lon, d.Lat, 50)
	south, broken, large := fstest.MapFS{}, fstest.MapFS{}, fstest.MapFS{}
	for name, f := range good {
		var z, x, y int
		if _, err := fmt.Sscanf(name, "%d/%d/%d.png", &z, &x, &y); err != nil {
			t.Fatal(err)
		}
		south[fmt.Sprintf("%d/%d/%d.png", z, x, 1<<z-1-y)] = f
		broken[name] = &fstest.MapFile{Data: f.Data[:len(f.Data)/2]}
		var b bytes.Buffer
		must.OK(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 1025, 1))))
		large[name] = &fstest.MapFile{Data: b.Bytes()}
	}
	fine := fstest.MapFS{"23/1/1.png": {}}
	for name, c := range map[string]struct {
		dir  fstest.MapFS
		want []string
	}{
		"empty":      {fstest.MapFS{"a.tif": {}}, []string{"z/x/y.png", "QGIS"}},
		"elsewhere":  {tilesOver(t, 17, 8.1, 52.2726, 50), []string{"no tile", "[17]", "52.27"}},
		"south":      {south, []string{"TMS", "counted from the north"}},
		"unreadable": {broken, []string{"17/", ".png", "PNG, JPEG or WebP"}},
		"large":      {large, []string{"1025 × 1 pixels", "1024"}},
		"fine":       {fine, []string{"zoom, 23", "more than 2048", "zoom 18"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadTiles(c.dir, d, bound)
			for _, w := range c.want {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("%v: want %q", err, w)
				}
			}
		})
	}
	// The finest zoom of those that are not too fine counts.
	fine["17/1/1.png"] = &fstest.MapFile{}
	for name, f := range good {
		fine[name] = f
	}
	if _, err := ReadTiles(fine, d, bound); err != nil {
		t.Error(err)
	}
}
