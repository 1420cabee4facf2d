package report

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/rig/recordtest"
)

func TestWrite(t *testing.T) {
	m, maps, tracks := recordtest.Mission(10, 60, 100)
	dirs := []string{filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")}
	for _, dir := range dirs {
		if err := Write(dir, m, maps, tracks); err != nil {
			t.Fatal(err)
		}
	}
	want := slices.Sorted(slices.Values(Files()))
	if got := recordtest.Names(t, dirs[0]); !slices.Equal(got, want) {
		t.Fatalf("the folder holds %q, want %q", got, want)
	}
	for _, name := range want {
		var data [2][]byte
		for i, dir := range dirs {
			var err error
			if data[i], err = os.ReadFile(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(data[0], data[1]) {
			t.Errorf("%s differs between two runs", name)
		}
		if filepath.Ext(name) != ".png" {
			continue
		}
		img, err := png.Decode(bytes.NewReader(data[0]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b, colours := img.Bounds(), map[any]int{}
		for y := b.Min.Y; y < b.Max.Y; y += 3 {
			for x := b.Min.X; x < b.Max.X; x += 3 {
				colours[img.At(x, y)]++
			}
		}
		if b.Dx() < 600 || b.Dx() > 900 || b.Dy() < 300 || b.Dy() > 1100 {
			t.Errorf("%s is %d × %d pixels", name, b.Dx(), b.Dy())
		}
		if len(colours) < 20 {
			t.Errorf("%s has %d colours", name, len(colours))
		}
	}
	// The maps of one mission can be laid over each other.
	size := func(name string) string {
		f, err := os.Open(filepath.Join(dirs[0], name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c, err := png.DecodeConfig(f)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d × %d", c.Width, c.Height)
	}
	if a, b := size("truth.png"), size("mean.png"); a != b {
		t.Errorf("the truth is %s pixels, the mean %s", a, b)
	}
}

func TestFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// A file stands where the folder would be: refused to everyone, root too.
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		err := Write(dir, &record.Mission{Version: record.Version}, nil, nil)
		if err == nil || !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "choose another folder") {
			t.Errorf("%s: error %v; want one that names the folder and what to do", dir, err)
		}
	}
}

func TestFailedPictureLeavesNothingHalfWritten(t *testing.T) {
	m, maps, tracks := recordtest.Mission(3, 12, 20)
	for name, c := range map[string]struct {
		draw func() ([]byte, error)
		says string
	}{
		"error": {func() ([]byte, error) { return nil, errors.New("no ink") }, "no ink"},
		"panic": {func() ([]byte, error) { panic("out of paper") }, "out of paper"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, PageFile), []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		list := sketches(m, maps, tracks)
		list[2].draw = c.draw
		err := writePage(dir, m, list)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), list[2].File) {
			t.Errorf("%s: error %v; want one with %q and %s", name, err, c.says, list[2].File)
		}
		if got := recordtest.Names(t, dir); !slices.Equal(got, []string{PageFile}) {
			t.Errorf("%s: the folder holds %q", name, got)
		}
		if data, _ := os.ReadFile(filepath.Join(dir, PageFile)); string(data) != "before" {
			t.Errorf("%s: the earlier page was touched", name)
		}
	}
}

func TestBadMaps(t *testing.T) {
	m, maps, tracks := recordtest.Mission(3, 12, 20)
	for name, c := range map[string]struct {
		spoil func(*record.Maps)
		says  string
	}{
		"short":      {func(m *record.Maps) { m.StdDev = m.StdDev[:7] }, "stddev has 7 values; a grid of 12×20 needs 240"},
		"no cells":   {func(m *record.Maps) { m.Grid.NX = 0 }, "the grid has 0×20 cells"},
		"no cell":    {func(m *record.Maps) { m.Grid.Cell = 0 }, "cell edge is 0 m"},
		"far origin": {func(m *record.Maps) { m.Grid.X /= m.Grid.X - m.Grid.X }, "origin is (NaN, 0) m"},
	} {
		bad, dir := *maps, t.TempDir()
		c.spoil(&bad)
		err := Write(dir, m, &bad, tracks)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want %q", name, err, c.says)
		}
		if got := recordtest.Names(t, dir); len(got) > 0 {
			t.Errorf("%s: the folder holds %q", name, got)
		}
	}
}

func TestStalePicturesAreRemoved(t *testing.T) {
	m, maps, tracks := recordtest.Mission(3, 12, 20)
	dir := t.TempDir()
	if err := writePage(dir, m, sketches(m, maps, tracks)); err != nil {
		t.Fatal(err)
	}
	keep := filepath.Join(dir, "photo.png")
	if err := os.WriteFile(keep, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m.Truth, maps.Truth = nil, nil
	if err := writePage(dir, m, sketches(m, maps, tracks)); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"acquisition.png", "hyperparameters.png", "mean.png", "offsets.png",
		"path.png", "photo.png", PageFile, "stddev.png",
	}
	if got := recordtest.Names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %q, want %q", got, want)
	}
}

func TestStdDevUnderLogarithmNeedsTheMean(t *testing.T) {
	m, maps, _ := recordtest.Mission(3, 12, 20)
	files := func() (list []string) {
		for _, p := range pictures(m, &record.Maps{Grid: maps.Grid, StdDev: maps.StdDev}, nil) {
			list = append(list, p.File)
		}
		return list
	}
	if !slices.Contains(files(), "stddev.png") {
		t.Error("no picture of the standard deviation without a transform")
	}
	m.Transform = record.TransformLn
	if slices.Contains(files(), "stddev.png") {
		t.Error("a standard deviation of logarithms was shown in the user's units without a mean")
	}
}

// BenchmarkWrite writes the report of a demonstration's size.
func BenchmarkWrite(b *testing.B) {
	m, maps, tracks := recordtest.Mission(30, 150, 250)
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		if err := Write(dir, m, maps, tracks); err != nil {
			b.Fatal(err)
		}
	}
}
