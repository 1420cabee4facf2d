// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package painter

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // formats of tiles
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"
	"golang.org/x/image/draw"
	"golang.org/x/image/math/f64"
	_ "golang.org/x/image/webp"

	"ugp_explorer/planner/earth"
)

// Photo is a picture from above that lies below the map, north up.
type Photo struct {
	X      float64 `json:"x"` // of the lower left corner, m
	Y      float64 `json:"y"`
	Width  float64 `json:"width"` // m
	Height float64 `json:"height"`
	Source string  `json:"src"` // for a browser: on the page the path of a request
	JPEG   []byte  `json:"-"`
}

const (
	mostPixels  = 2048    // of a photo's longer side
	photoMargin = 0.1     // about the field, relative to its longer side
	tileSide    = 256     // px, in the photo; larger tiles are made smaller
	mostTile    = 1024    // px, of a side
	mostBytes   = 8 << 20 // of a tile
	finest      = 30      // zoom
)

// layout says how tiles must lie in their folder.
const layout = "want z/x/y.png, .jpg or .webp in web mercator, y counted from the north, as QGIS (Generate XYZ tiles, Directory) and gdal2tiles --xyz write them"

// ReadTiles makes the photo of a field from a folder of tiles, those of the finest zoom with which it has
// at most 2048 pixels a side. Where a tile is missing it is grey. The error names what is wrong with the
// folder or a tile, and what is allowed.
func ReadTiles(dir fs.FS, datum earth.Datum, bound orb.Bound) (*Photo, error) {
	bound = bound.Pad(photoMargin * max(bound.Right()-bound.Left(), bound.Top()-bound.Bottom()))
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		return nil, err
	}
	var zooms []int
	for _, e := range entries {
		if z, err := strconv.Atoi(e.Name()); err == nil && z >= 0 && z <= finest {
			zooms = append(zooms, z)
		}
	}
	if len(zooms) == 0 {
		return nil, fmt.Errorf("it has no folder of a zoom from 0 to %d: %s", finest, layout)
	}
	slices.Sort(zooms)
	for _, z := range slices.Backward(zooms) {
		s := sheetOf(z, datum, bound)
		if s.pixels > mostPixels {
			if z == zooms[0] {
				return nil, fmt.Errorf("at its coarsest zoom, %d, the field is %.0f pixels wide, more than %d: make tiles of zoom %d, too", z, s.pixels, mostPixels, z-int(math.Ceil(math.Log2(s.pixels/mostPixels))))
			}
			continue
		}
		there, err := s.read(dir)
		if err != nil {
			return nil, err
		}
		if there {
			return s.photo(bound)
		}
	}
	return nil, fmt.Errorf("no tile of the zooms %v lies over the field, whose middle is at longitude and latitude %v: %s", zooms, sheetOf(0, datum, bound).middle, layout)
}

// sheet is the tiles of a zoom over a photo, joined.
type sheet struct {
	zoom        int
	middle      orb.Point       // of the photo, degrees
	at          orb.Point       // of the photo's middle, tiles
	east, south orb.Point       // across the photo, tiles
	pixels      float64         // of the photo's longer side
	tiles       image.Rectangle // their x and y
	image       *image.RGBA
}

// sheetOf returns the sheet without its image. Over a photo mercator is the plane of the datum, shifted,
// turned and scaled: over 5 km that is wrong by half a pixel in the corners, as tan of the latitude.
func sheetOf(z int, datum earth.Datum, bound orb.Bound) *sheet {
	s := &sheet{zoom: z}
	at := func(x, y float64) orb.Point { // in tiles
		lon, lat := datum.LonLat(x, y)
		s.middle = orb.Point{lon, lat}
		across, north := float64(int(1)<<z), math.Asinh(math.Tan(lat*math.Pi/180))
		return orb.Point{across * (lon/360 + 0.5), across * (1 - north/math.Pi) / 2}
	}
	between := func(a, b orb.Point) orb.Point { return orb.Point{b[0] - a[0], b[1] - a[1]} }
	c := bound.Center()
	s.east = between(at(bound.Left(), c[1]), at(bound.Right(), c[1]))
	s.south = between(at(c[0], bound.Top()), at(c[0], bound.Bottom()))
	s.at = at(c[0], c[1])
	s.pixels = tileSide * max(math.Hypot(s.east[0], s.east[1]), math.Hypot(s.south[0], s.south[1]))
	half := orb.Point{(math.Abs(s.east[0]) + math.Abs(s.south[0])) / 2, (math.Abs(s.east[1]) + math.Abs(s.south[1])) / 2}
	s.tiles = image.Rect(int(math.Floor(s.at[0]-half[0])), int(math.Floor(s.at[1]-half[1])), int(math.Floor(s.at[0]+half[0]))+1, int(math.Floor(s.at[1]+half[1]))+1)
	return s
}

// read joins the tiles, and reports whether there is any.
func (s *sheet) read(dir fs.FS) (there bool, err error) {
	s.image = image.NewRGBA(image.Rectangle{Max: s.tiles.Size().Mul(tileSide)})
	draw.Draw(s.image, s.image.Rect, image.NewUniform(color.Gray{0x80}), image.Point{}, draw.Src)
	upsideDown := ""
	for x := s.tiles.Min.X; x < s.tiles.Max.X; x++ {
		for y := s.tiles.Min.Y; y < s.tiles.Max.Y; y++ {
			name, tile, err := readTile(dir, s.zoom, x, y)
			if err != nil {
				return false, fmt.Errorf("the tile %s: %w; want PNG, JPEG or WebP of at most %d pixels a side and 8 MB", name, err, mostTile)
			}
			if tile == nil {
				if name, other, _ := readTile(dir, s.zoom, x, 1<<s.zoom-1-y); other != nil {
					upsideDown = name
				}
				continue
			}
			there = true
			at := image.Pt(x, y).Sub(s.tiles.Min).Mul(tileSide)
			draw.ApproxBiLinear.Scale(s.image, image.Rectangle{at, at.Add(image.Pt(tileSide, tileSide))}, tile, tile.Bounds(), draw.Over, nil)
		}
	}
	if !there && upsideDown != "" {
		return false, fmt.Errorf("the tile %s lies over the field only if y is counted from the south (TMS): %s", upsideDown, layout)
	}
	return there, nil
}

// readTile returns nil if there is no such tile.
func readTile(dir fs.FS, z, x, y int) (name string, tile image.Image, err error) {
	for _, format := range []string{"png", "jpg", "jpeg", "webp"} {
		name = fmt.Sprintf("%d/%d/%d.%s", z, x, y, format)
		f, err := dir.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return name, nil, err
		}
		data, err := io.ReadAll(io.LimitReader(f, mostBytes))
		if err := errors.Join(err, f.Close()); err != nil {
			return name, nil, err
		}
		head, _, err := image.DecodeConfig(bytes.NewReader(data))
		if err == nil && max(head.Width, head.Height) > mostTile {
			err = fmt.Errorf("it has %d × %d pixels", head.Width, head.Height)
		}
		if err == nil {
			tile, _, err = image.Decode(bytes.NewReader(data))
		}
		return name, tile, err
	}
	return "", nil, nil
}

// photo turns the sheet so that north of the map is up.
func (s *sheet) photo(bound orb.Bound) (*Photo, error) {
	p := &Photo{X: bound.Left(), Y: bound.Bottom(), Width: bound.Right() - bound.Left(), Height: bound.Top() - bound.Bottom()}
	w, h := math.Ceil(tileSide*math.Hypot(s.east[0], s.east[1])), math.Ceil(tileSide*math.Hypot(s.south[0], s.south[1]))
	// Pixels of the photo to those of the sheet are m = [a b; c d] about their middles; the library wants the inverse.
	a, b, c, d := tileSide*s.east[0]/w, tileSide*s.south[0]/h, tileSide*s.east[1]/w, tileSide*s.south[1]/h
	x, y := tileSide*(s.at[0]-float64(s.tiles.Min.X)), tileSide*(s.at[1]-float64(s.tiles.Min.Y))
	det := a*d - b*c
	a, b, c, d = d/det, -b/det, -c/det, a/det
	turned := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
	draw.ApproxBiLinear.Transform(turned, f64.Aff3{a, b, w/2 - a*x - b*y, c, d, h/2 - c*x - d*y}, s.image, s.image.Rect, draw.Src, nil)
	var data bytes.Buffer
	if err := jpeg.Encode(&data, turned, &jpeg.Options{Quality: 80}); err != nil {
		return nil, err
	}
	p.JPEG = data.Bytes()
	p.Source = fmt.Sprintf("/api/photo?%08x", crc32.ChecksumIEEE(p.JPEG))
	return p, nil
}
