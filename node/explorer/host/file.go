// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field/outline"
)

// Suffixes of the name of the field's file: of a recording under way, and of one that was
// discarded.
const (
	recordingSuffix = ".recording"
	discardedSuffix = ".recording.bak"
)

// mostBytes is the size of the largest recording that is continued: ten rings with the most points
// that there may be.
const mostBytes = 64 << 20

// kept is the file of a recording under way.
type kept struct {
	Begun    json.RawMessage // begun
	Recorder *outline.Recorder
}

// begun says by which rules and in which frame a recording was begun.
type begun struct {
	Rules outline.Config
	Frame string
	Datum []float64
}

// write brings the file up to date.
func (r *recording) write() {
	data, err := json.Marshal(kept{r.begun, r.rec})
	if err == nil {
		dir, name := filepath.Split(r.file)
		err = record.WriteFiles(filepath.Clean(dir), []record.File{{Name: name, Data: data}})
	}
	r.unwritten = err
}

// read restores the recording of an earlier run, if there is a file of one.
func (r *recording) read() error {
	data, err := record.ReadFile(r.file, mostBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	k := kept{Recorder: r.rec}
	if err == nil {
		err = json.Unmarshal(data, &k)
	}
	if err == nil && !bytes.Equal(k.Begun, r.begun) {
		err = fmt.Errorf("it was begun with the parameters %s, which are now %s: set them as before", k.Begun, r.begun)
	}
	if err != nil {
		return fmt.Errorf("outline.file: the recording %s cannot be continued: %w; or move the file away", r.file, err)
	}
	return nil
}

// end removes the file, or moves it away if to is a name, and reports whether there was one.
func (r *recording) end(to string) (was bool, err error) {
	if to == "" {
		err = os.Remove(r.file)
	} else {
		err = os.Rename(r.file, to)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
