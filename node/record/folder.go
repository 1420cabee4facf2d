// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// File is a file to be written: its name in the folder and its content.
type File struct {
	Name string
	Data []byte
}

// WriteFiles writes files into a folder, which it creates if necessary, and then removes
// the stale files. The files get their names when all of them are complete on the disk:
// no file is ever half-written, and an error before that leaves the folder unchanged. If
// a rename fails, the files before it are new and the others unchanged. The error names
// the folder.
func WriteFiles(dir string, files []File, stale ...string) error {
	if err := writeFiles(dir, files, stale); err != nil {
		return fmt.Errorf("record: cannot write to the folder %s: %w; choose another folder, or make this one writable and check that its disk has room", dir, err)
	}
	return nil
}

func writeFiles(dir string, files []File, stale []string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	var waiting []string // temporary names, in the order of files
	defer func() {
		for _, name := range waiting {
			_ = os.Remove(name) // the folder is usable with it
		}
	}()
	for _, f := range files {
		name, err := writeTemporary(dir, f)
		if name != "" {
			waiting = append(waiting, name)
		}
		if err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := os.Rename(waiting[0], filepath.Join(dir, f.Name)); err != nil {
			return err
		}
		waiting = waiting[1:]
	}
	_ = SyncDir(dir) // where the file system can: the files are in place either way
	for _, name := range stale {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// writeTemporary writes a file under a temporary name and syncs it. It returns the
// name of the file it created, also with an error.
func writeTemporary(dir string, file File) (string, error) {
	f, err := os.CreateTemp(dir, "."+file.Name+".*.tmp")
	if err != nil {
		return "", err
	}
	_, err = f.Write(file.Data)
	return f.Name(), errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
}

// SyncDir syncs the names in a folder.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
