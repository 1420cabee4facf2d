// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
)

// ErrLog is wrapped by the errors about a log that cannot be used.
var ErrLog = errors.New("experiment: the log of trials")

// LogName is the name of a log in its folder.
const LogName = "trials.jsonl"

// trialLog keeps the results of jobs in a file, one line of JSON each, so that an interrupted
// run loses the jobs under way and nothing else. The first line is a header: what all
// results have in common.
type trialLog[R any] struct {
	file *os.File
	done []R // results that were there when the log was opened
}

// openLog begins a log in a folder, which it makes. It does not overwrite a log: with resume it
// continues it, else the error wraps [os.ErrExist]. The error wraps [ErrLog] when the log has
// another header or cannot be read. A last line that was not written to its end is dropped.
func openLog[R any](folder string, resume bool, header any) (*trialLog[R], error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	name := filepath.Join(folder, LogName)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	exists := resume && errors.Is(err, os.ErrExist)
	if exists {
		file, err = os.OpenFile(name, os.O_RDWR, 0)
	}
	if err != nil {
		return nil, err
	}
	l := &trialLog[R]{file: file}
	if exists {
		err = l.read(header)
	} else {
		err = l.line(header)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// read reads the log and moves the file's offset to the end of its last whole line.
func (l *trialLog[R]) read(header any) error {
	r := bufio.NewReader(l.file)
	var whole int64
	for n := 0; ; n++ {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) { // the rest has no end: the run was interrupted
			if n == 0 {
				return fmt.Errorf("%w %s has no complete first line: remove it", ErrLog, l.file.Name())
			}
			break
		}
		if err != nil {
			return err
		}
		if n == 0 {
			if err := sameHeader(line, header); err != nil {
				return fmt.Errorf("%w %s belongs to another run: %w; give the settings of that run, or another folder", ErrLog, l.file.Name(), err)
			}
		} else {
			var result R
			if err := json.Unmarshal(line, &result); err != nil {
				return fmt.Errorf("%w %s: line %d: %w", ErrLog, l.file.Name(), n+1, err)
			}
			l.done = append(l.done, result)
		}
		whole += int64(len(line))
	}
	if err := l.file.Truncate(whole); err != nil {
		return err
	}
	_, err := l.file.Seek(whole, io.SeekStart)
	return err
}

// sameHeader returns an error that names the first member in which a log's first line
// differs from header.
func sameHeader(line []byte, header any) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	var had, want map[string]any
	if err := json.Unmarshal(line, &had); err != nil {
		return err
	}
	if err := json.Unmarshal(text, &want); err != nil {
		return err
	}
	t := reflect.TypeOf(header)
	for i := range t.NumField() {
		name := t.Field(i).Tag.Get("json")
		if reflect.DeepEqual(had[name], want[name]) {
			continue
		}
		was, is := fmt.Sprintf("%#v", had[name]), fmt.Sprintf("%#v", want[name])
		if len(was)+len(is) > 100 { // the content of a file
			return fmt.Errorf("its %s is different", name)
		}
		return fmt.Errorf("its %s is %s, not %s", name, was, is)
	}
	return nil
}

func (l *trialLog[R]) line(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrLog, err)
	}
	_, err = l.file.Write(append(text, '\n')) // one write, so that a kill leaves whole lines but the last
	return err
}
