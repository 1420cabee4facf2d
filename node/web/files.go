// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"ugp_explorer/node/record"
)

// inFolder is openFolder for clients that may read.
func (s *Server) inFolder(next func(w http.ResponseWriter, r *http.Request, root *os.Root)) http.HandlerFunc {
	return s.reading(s.openFolder(next))
}

// openFolder opens the mission's folder for a handler, of which few may run at once. Nothing outside of
// the folder can be read, not by a link either.
func (s *Server) openFolder(next func(w http.ResponseWriter, r *http.Request, root *os.Root)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.files <- struct{}{}:
			defer func() { <-s.files }()
		default:
			w.Header().Set("Retry-After", "5")
			refuse(w, http.StatusServiceUnavailable, "too many downloads are in progress: wait until one ends")
			return
		}
		f, err := s.fresh(r.Context())
		switch {
		case err != nil:
			refuse(w, http.StatusServiceUnavailable, err.Error())
			return
		case f.snapshot.Folder == "":
			refuse(w, http.StatusNotFound, "there are no results yet: the mission is not over, or it has no folder (output_dir)")
			return
		}
		root, err := os.OpenRoot(f.snapshot.Folder)
		if err != nil {
			refuse(w, http.StatusNotFound, "the mission's folder cannot be opened")
			return
		}
		defer root.Close()
		next(w, r, root)
	}
}

type fileEntry struct {
	Name  string    `json:"name"`
	Title string    `json:"title"` // what it is, for people
	Size  int64     `json:"size"`
	at    time.Time // when it was written
}

// mostFiles bounds the list.
const mostFiles = 10_000

// entries returns the files in a folder and below, in the order of titles.
func entries(root *os.Root) (list []fileEntry, err error) {
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if len(list) == mostFiles {
			return fs.SkipAll
		}
		list = append(list, fileEntry{name, title(name), info.Size(), info.ModTime()})
		return nil
	})
	slices.SortStableFunc(list, func(a, b fileEntry) int { return kind(a.Name) - kind(b.Name) })
	return list, err
}

func list(w http.ResponseWriter, _ *http.Request, root *os.Root) {
	list, err := entries(root)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the mission's folder cannot be read")
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	writeJSON(w, map[string]any{"files": list})
}

func file(w http.ResponseWriter, r *http.Request, root *os.Root) {
	name := path.Clean(r.PathValue("path"))
	f, err := root.Open(name)
	if err != nil {
		refuse(w, http.StatusNotFound, "there is no such file")
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		refuse(w, http.StatusNotFound, "there is no such file")
		return
	}
	h := w.Header()
	// A report is a page of its own origin: its script paints, and can reach neither this page nor the network.
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox allow-scripts allow-downloads")
	if path.Ext(name) != ".html" { // which a browser shows
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(name)}))
	}
	http.ServeContent(w, r, name, info.ModTime(), f)
}

// archive sends all files as one archive.
func (s *Server) archive(w http.ResponseWriter, _ *http.Request, root *os.Root) {
	list, err := entries(root)
	if err != nil {
		refuse(w, http.StatusInternalServerError, "the mission's folder cannot be read")
		return
	}
	f, _ := s.newest()
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", archiveName(f.snapshot.Scene, list)))
	z := zip.NewWriter(w)
	for _, e := range list {
		if err := pack(z, root, e); err != nil {
			panic(http.ErrAbortHandler) // so that the client notices
		}
	}
	if err := z.Close(); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// unsafe are the characters that some system does not take in the name of a file.
var unsafe = regexp.MustCompile("[^A-Za-z0-9]+")

// archiveName names the archive after the field and when the mission's record was written, such as
// north-field-2026-11-27-1432.zip.
func archiveName(scene *Scene, list []fileEntry) string {
	name := ""
	if scene != nil {
		name = strings.ToLower(strings.Trim(unsafe.ReplaceAllString(scene.Name, "-"), "-"))
	}
	at := time.Time{}
	for _, e := range list {
		if e.Name == record.MissionFile || at.IsZero() {
			at = e.at
		}
	}
	return cmp.Or(name, "mission") + at.Format("-2006-01-02-1504.zip")
}

func pack(z *zip.Writer, root *os.Root, e fileEntry) (err error) {
	file, err := root.Open(e.Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	method := zip.Deflate
	if strings.HasSuffix(e.Name, ".mcap") { // compressed already
		method = zip.Store
	}
	w, err := z.CreateHeader(&zip.FileHeader{Name: e.Name, Method: method, Modified: e.at})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, file)
	return err
}
