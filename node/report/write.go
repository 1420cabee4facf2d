package report

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
)

// PageFile is the name of the report in the mission's folder.
const PageFile = "report.html"

// WriteAll writes the record, the pictures and the report of a mission into a
// folder, which it makes when it is missing. maps and tracks may be nil, and so
// may their parts: what there is no data for is left out.
//
// The record comes first and is complete on the disk before anything is drawn,
// so that no fault of a picture can lose a sample. The pictures and the report
// then appear together, or not at all. Pictures of an earlier report in the
// folder which this one does not have are removed.
//
// The files are a pure function of the arguments. The error names the folder
// that cannot be written, or what of the data cannot be shown.
func WriteAll(dir string, m *Mission, maps *Maps, tracks *Tracks) error {
	if err := m.WriteJSON(filepath.Join(dir, MissionFile)); err != nil {
		return err
	}
	if maps != nil {
		if err := maps.Validate(); err != nil {
			return err
		}
	}
	return writePage(dir, m, pictures(m, maps, tracks))
}

// writePage writes pictures and the page that shows them.
func writePage(dir string, m *Mission, list []picture) error {
	files, err := renderAll(list)
	if err != nil {
		return err
	}
	page, err := html(m, list, files)
	if err != nil {
		return err
	}
	stale := slices.Clone(pictureFiles)
	output := []File{{Name: PageFile, Data: page}}
	for i, p := range list {
		output = append(output, File{Name: p.File, Data: files[i]})
		stale = slices.DeleteFunc(stale, func(name string) bool { return name == p.File })
	}
	return WriteFiles(dir, output, stale...)
}

// renderAll draws the pictures, each in a goroutine of its own.
func renderAll(list []picture) ([][]byte, error) {
	files, errs := make([][]byte, len(list)), make([]error, len(list))
	var drawing sync.WaitGroup
	for i, p := range list {
		drawing.Go(func() { files[i], errs[i] = p.render() })
	}
	drawing.Wait()
	return files, errors.Join(errs...)
}
