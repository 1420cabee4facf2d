package gazebo

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

const (
	worlds          = "../../../launch/worlds/"
	updateGenerated = "UPDATE_GENERATED" // writes the files instead of comparing them
)

// files returns the generated texts by file name.
func files(t *testing.T) map[string]string {
	t.Helper()
	l := NewLayout()
	must := func(text string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	return map[string]string{
		"field.obj":      NewGround().OBJ(),
		"field.sdf":      must(l.World("A field of 8 ha with gentle relief, a shed, a hedge and a wood.", NewGround(), false)),
		"field_flat.sdf": must(l.World("The field of field.sdf on flat ground.", NewFlatGround(), true)),
		"field.geojson":  must(l.GeoJSON()),
	}
}

// number matches the numbers in a file.
var number = regexp.MustCompile(`-?\d+(\.\d+)?`)

// same reports whether two files differ by one in the last digit of a number at most: other
// processors than amd64 round once where that rounds twice (fused multiply-add).
func same(a, b string) bool {
	x, y := number.FindAllString(a, -1), number.FindAllString(b, -1)
	if number.ReplaceAllString(a, "0") != number.ReplaceAllString(b, "0") {
		return false
	}
	for i := range x {
		u, err := strconv.ParseFloat(x[i], 64)
		v, err2 := strconv.ParseFloat(y[i], 64)
		_, p, _ := strings.Cut(x[i], ".")
		_, q, _ := strings.Cut(y[i], ".")
		decimals := max(len(p), len(q))
		if err != nil || err2 != nil || u != v && (decimals == 0 || math.Abs(u-v) > 1.5*math.Pow10(-decimals)) {
			return false
		}
	}
	return true
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"<pose>-141 1.3453 0</pose>", "<pose>-141 1.3452 0</pose>", true},
		{"<pose>-141 1.3453 0</pose>", "<pose>-141 1.3451 0</pose>", false},
		{"2 0.1", "2 0.0999", true},
		{"f 1 2 3", "f 1 2 4", false},
		{"v 1.5", "n 1.5", false},
	} {
		if same(c.a, c.b) != c.want || same(c.b, c.a) != c.want {
			t.Errorf("%q and %q: want %v", c.a, c.b, c.want)
		}
	}
}

// The shipped worlds are what the code makes, and none is larger than a repository likes.
func TestGeneratedWorlds(t *testing.T) {
	for name, want := range files(t) {
		if os.Getenv(updateGenerated) != "" {
			if err := os.WriteFile(worlds+name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(worlds + name)
		if err != nil || string(got) != want && (runtime.GOARCH == "amd64" || !same(string(got), want)) {
			t.Errorf("%s is not what the code makes (%v): run UPDATE_GENERATED=1 go test ./sim/rig/gazebo -run Generated", name, err)
		}
		if len(got) > 500e3 {
			t.Errorf("%s has %d bytes, want at most 500 kB", name, len(got))
		}
	}
}

// Pixels are compared, since another release of Go may compress them in another way.
func TestGeneratedTexture(t *testing.T) {
	const file = worlds + "field.png"
	want := NewLayout().Texture()
	if os.Getenv(updateGenerated) != "" {
		var b bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&b, want); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) > 500e3 {
		t.Errorf("%s has %d bytes, want at most 500 kB", file, len(data))
	}
	decoded, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got, ok := decoded.(*image.Paletted)
	if !ok || got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Errorf("%s is not what the code makes: run UPDATE_GENERATED=1 go test ./sim/rig/gazebo -run Generated", file)
	}
}
