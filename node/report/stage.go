package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// stage collects the files of a folder under temporary names and gives them
// their own names together, when all are complete on the disk.
type stage struct {
	dir   string
	files []staged
}

type staged struct{ temporary, final string }

// newStage makes the folder when it is missing.
func newStage(dir string) (*stage, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, folderError(dir, err)
	}
	return &stage{dir: dir}, nil
}

// folderError says which folder cannot be written and what helps.
func folderError(dir string, err error) error {
	return fmt.Errorf("report: cannot write to the folder %s: %w; choose another folder, or make this one writable and see that its disk has room", dir, err)
}

// add writes one file under a temporary name and flushes it to the disk.
func (s *stage) add(name string, data []byte) (err error) {
	f, err := os.CreateTemp(s.dir, "."+name+".*.tmp")
	if err != nil {
		return folderError(s.dir, err)
	}
	s.files = append(s.files, staged{f.Name(), filepath.Join(s.dir, name)})
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Sync())
	if err = errors.Join(err, f.Close()); err != nil {
		return folderError(s.dir, err)
	}
	return nil
}

// commit renames every file. A failed rename leaves the files before it under
// their new content and the ones after it as they were; none is half-written.
func (s *stage) commit() error {
	for len(s.files) > 0 {
		f := s.files[0]
		if err := os.Rename(f.temporary, f.final); err != nil {
			return folderError(s.dir, err)
		}
		s.files = s.files[1:]
	}
	syncDir(s.dir)
	return nil
}

// discard removes the temporary files that were not committed.
func (s *stage) discard() {
	for _, f := range s.files {
		os.Remove(f.temporary)
	}
	s.files = nil
}

// syncDir flushes the folder's new names to the disk where the file system
// can. They are in place either way.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
