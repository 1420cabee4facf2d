package report

import (
	"errors"
	"slices"
	"sync"

	"ugp_explorer/node/record"
)

// PageFile is the name of the report in the mission's folder.
const PageFile = "report.html"

// Files returns the names of all files that a report can have.
func Files() []string { return append([]string{PageFile}, pictureFiles...) }

// Write writes the pictures and the report of a mission into a folder, which it creates if
// necessary. maps, tracks and their fields may be nil; a picture without data is left out.
//
// All pictures and the report appear together, and pictures of an earlier report that this
// one does not have are removed. If a picture cannot be drawn, the earlier report is left
// unchanged.
//
// The files depend on the arguments only. The error names the folder that cannot be
// written or the data that cannot be shown.
func Write(dir string, m *record.Mission, maps *record.Maps, tracks *record.Tracks) error {
	if maps != nil {
		if err := maps.Validate(); err != nil {
			return err
		}
	}
	return writePage(dir, m, pictures(m, maps, tracks))
}

// writePage writes the pictures and the page that contains them.
func writePage(dir string, m *record.Mission, list []picture) error {
	files, err := renderAll(list)
	if err != nil {
		return err
	}
	page, err := html(m, list, files)
	if err != nil {
		return err
	}
	stale := slices.Clone(pictureFiles)
	output := []record.File{{Name: PageFile, Data: page}}
	for i, p := range list {
		output = append(output, record.File{Name: p.File, Data: files[i]})
		stale = slices.DeleteFunc(stale, func(name string) bool { return name == p.File })
	}
	return record.WriteFiles(dir, output, stale...)
}

// renderAll draws the pictures concurrently.
func renderAll(list []picture) ([][]byte, error) {
	files, errs := make([][]byte, len(list)), make([]error, len(list))
	var drawing sync.WaitGroup
	for i, p := range list {
		drawing.Go(func() { files[i], errs[i] = p.render() })
	}
	drawing.Wait()
	return files, errors.Join(errs...)
}
