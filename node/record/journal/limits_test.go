package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/node/record"
)

// The folder of a mission may have come from somebody else: what stands there in place of a
// journal is neither read without end nor overwritten.
func TestStrangeJournals(t *testing.T) {
	precious := filepath.Join(t.TempDir(), "precious")
	if err := os.WriteFile(precious, []byte("keep this\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"link":          {func(path string) error { return os.Symlink(precious, path) }, "is not a file but a symbolic link"},
		"dangling link": {func(path string) error { return os.Symlink(filepath.Join(filepath.Dir(precious), "new"), path) }, "is not a file but a symbolic link"},
		"folder":        {func(path string) error { return os.Mkdir(path, 0o777) }, "is not a file but a folder"},
		"device":        {func(path string) error { return os.Symlink("/dev/zero", path) }, "is not a file but"},
		"large file": {func(path string) error {
			if err := os.WriteFile(path, nil, 0o666); err != nil {
				return err
			}
			return os.Truncate(path, record.MostFile+1) // a line that never ends, sparse
		}, "it is larger than 256 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := c.make(filepath.Join(dir, FileName)); err != nil {
				t.Skip(err)
			}
			j, _, err := Open(dir)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
			if err == nil {
				_ = j.Close()
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(precious), "new")); err == nil {
				t.Error("a file was made where the link points to")
			}
			if got, err := os.ReadFile(precious); err != nil || string(got) != "keep this\n" {
				t.Errorf("the file that a link pointed to is now %q, %v", got, err)
			}
		})
	}
}
