// Package outside has the program ugp draw the report of a mission, in a process of its own. So a
// robot's explorer links nothing that draws, and whatever goes wrong while the report is drawn
// leaves the mission alone.
package outside

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"ugp_explorer/node/record"
)

const (
	program = "ugp"  // draws; it is in the folder of the node's program
	command = "draw" // of program
)

// figures is what a report is drawn from besides the record, which is in the mission's folder.
type figures struct {
	Maps   record.Maps
	Tracks record.Tracks
}

// Drawer returns the function that has the program ugp draw a report into a folder where the record
// has been written. The error says that there is no such program beside this one.
func Drawer() (func(folder string, m *record.Mission, maps *record.Maps, tracks *record.Tracks) error, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(filepath.Dir(self), program)
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("the report is drawn by the program %s, which is not beside this one: %w", program, err)
	}
	return func(folder string, _ *record.Mission, maps *record.Maps, tracks *record.Tracks) error {
		return draw(path, folder, figures{*maps, *tracks})
	}, nil
}

func draw(path, folder string, f figures) error {
	var input bytes.Buffer
	if err := gob.NewEncoder(&input).Encode(f); err != nil {
		return err
	}
	c := exec.Command(path, command, folder)
	c.Stdin, c.SysProcAttr = &input, apart()
	out, err := c.CombinedOutput()
	if text := strings.TrimSpace(string(out)); text != "" {
		return errors.New(strings.TrimPrefix(text, program+": "))
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", path, command, err)
	}
	return nil
}

// Read returns the record in a mission's folder, and the maps and tracks that its explorer sends.
func Read(folder string, from io.Reader) (*record.Mission, *record.Maps, *record.Tracks, error) {
	var f figures
	if err := gob.NewDecoder(from).Decode(&f); err != nil {
		return nil, nil, nil, fmt.Errorf("the input is not what an explorer sends: %w", err)
	}
	m, err := record.ReadMission(filepath.Join(folder, record.MissionFile))
	return m, &f.Maps, &f.Tracks, err
}
