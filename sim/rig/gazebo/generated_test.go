package gazebo

import (
	"os"
	"runtime"
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

// The shipped worlds are what the code makes, and none is larger than a repository likes.
func TestGeneratedWorlds(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors round the last digits otherwise (fused multiply-add)")
	}
	for name, want := range files(t) {
		if os.Getenv(updateGenerated) != "" {
			if err := os.WriteFile(worlds+name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(worlds + name)
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the code makes (%v): run UPDATE_GENERATED=1 go test ./sim/rig/gazebo -run Generated", name, err)
		}
		if len(got) > 500e3 {
			t.Errorf("%s has %d bytes, want at most 500 kB", name, len(got))
		}
	}
}
