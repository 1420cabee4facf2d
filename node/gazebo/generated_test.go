package gazebo

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"testing"
)

const (
	worlds          = "../../launch/worlds/"
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

// The shipped worlds are what the code makes, and none is larger than a repository likes.
func TestGeneratedWorlds(t *testing.T) {
	for name, want := range files(t) {
		if os.Getenv(updateGenerated) != "" {
			if err := os.WriteFile(worlds+name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(worlds + name)
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the code makes (%v): run UPDATE_GENERATED=1 go test ./node/gazebo -run Generated", name, err)
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
		t.Errorf("%s is not what the code makes: run UPDATE_GENERATED=1 go test ./node/gazebo -run Generated", file)
	}
}
