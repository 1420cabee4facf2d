package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
)

// Suffixes of the name of the field's file: of a recording under way, and of one that was
// discarded.
const (
	journalSuffix   = ".recording"
	discardedSuffix = ".recording.bak"
)

// mostJournal is the largest recording that is resumed, bytes: a hundred hours of driving.
const mostJournal = 64 << 20

// step is a line of the journal: one thing that the recorder was told.
type step struct {
	Start   *start        `json:"start,omitempty"` // of the first line
	Load    *field.Field  `json:"load,omitempty"`
	Begin   *outline.Kind `json:"begin,omitempty"`
	Stamp   int64         `json:"t,omitempty"`    // of a pose, ns
	Pose    *[9]float64   `json:"pose,omitempty"` // x, y, yaw, and the covariance's upper triangle
	Corner  bool          `json:"corner,omitempty"`
	Close   bool          `json:"close,omitempty"`
	Undo    bool          `json:"undo,omitempty"`
	Ring    int           `json:"ring,omitempty"`
	Corners []orb.Point   `json:"corners,omitempty"` // of the ring, after an edit
	Remove  bool          `json:"remove,omitempty"`
}

// start says by which rules and in which frame the recording was begun.
type start struct {
	Rules outline.Config `json:"rules"`
	Frame string         `json:"frame"`
	Datum []float64      `json:"datum,omitempty"`
}

func poseStep(p *localization.Pose, corner bool) step {
	c := &p.Cov
	return step{Stamp: p.Stamp, Corner: corner, Pose: &[9]float64{p.X, p.Y, p.Yaw, c[0][0], c[0][1], c[0][2], c[1][1], c[1][2], c[2][2]}}
}

// apply tells a recorder what a line says. A refused pose is no error: it was recorded as such.
func (s *step) apply(r *outline.Recorder) error {
	var pose localization.Pose
	if v := s.Pose; v != nil {
		pose = localization.Pose{Stamp: s.Stamp, X: v[0], Y: v[1], Yaw: v[2], Cov: [3][3]float64{{v[3], v[4], v[5]}, {v[4], v[6], v[7]}, {v[5], v[7], v[8]}}}
	}
	var err error
	switch {
	case s.Load != nil:
		err = r.Load(*s.Load)
	case s.Begin != nil:
		err = r.Begin(*s.Begin)
	case s.Pose != nil && s.Corner:
		err = r.Corner(pose)
	case s.Pose != nil:
		_, err = r.Drive(pose)
	case s.Close:
		_, err = r.Close()
	case s.Undo:
		err = r.Undo()
	case s.Corners != nil:
		_, err = r.Edit(s.Ring, s.Corners)
	case s.Remove:
		err = r.Remove(s.Ring)
	default:
		err = errors.New("it says nothing that is known here")
	}
	if errors.As(err, new(*outline.PoseError)) {
		return nil
	}
	return err
}

// line returns the line of a step.
func (s *step) line() ([]byte, error) {
	text, err := json.Marshal(s)
	return append(text, '\n'), err
}

// journal is the file of a recording under way. Without a file it is made with the first line.
type journal struct {
	name  string
	first []byte // the line with the start
	file  *os.File
	err   error // why the newest lines are not on the disk
}

// append writes a line; a line that matters is on the disk when append returns.
func (j *journal) append(s *step, matters bool) {
	text, err := s.line()
	if err == nil && j.file == nil && j.err == nil {
		if err = os.MkdirAll(filepath.Dir(j.name), 0o777); err == nil {
			j.file, err = os.OpenFile(j.name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
		}
		text = append(slices.Clone(j.first), text...)
	}
	if err == nil && j.file != nil {
		_, err = j.file.Write(text)
	}
	if j.err = cmp.Or(j.err, err); matters && j.err == nil {
		j.err = j.file.Sync()
	}
}

// read returns the steps of an earlier run, none if there is no file. The rest of a file behind a
// line that cannot be read is cut off; problem names it.
func (j *journal) read(apply func(*step) error) (steps int, problem string, err error) {
	data, err := record.ReadFile(j.name, mostJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, "", nil
	}
	if err != nil {
		return 0, "", err
	}
	good := 0
	for line := range bytes.Lines(data) {
		var s step
		err := json.Unmarshal(line, &s)
		switch {
		case err != nil:
		case !bytes.HasSuffix(line, []byte("\n")):
			err = errors.New("its end is missing")
		case good == 0 && s.Start == nil:
			err = errors.New("it is not the beginning of a recording")
		case good == 0 && !bytes.Equal(line, j.first):
			return 0, "", fmt.Errorf("it was begun with other parameters, %s, and now they are %s: set them as they were, or move the file away", bytes.TrimSpace(line), bytes.TrimSpace(j.first))
		case good > 0:
			err = apply(&s)
		}
		if err != nil {
			problem = fmt.Sprintf("line %d of %s cannot be used, and what follows is lost: %v", steps+1, j.name, err)
			break
		}
		good += len(line)
		steps++
	}
	if steps == 0 {
		return 0, problem, os.Rename(j.name, j.name+".bad")
	}
	if err := os.Truncate(j.name, int64(good)); err != nil {
		return 0, "", err
	}
	j.file, err = os.OpenFile(j.name, os.O_WRONLY|os.O_APPEND, 0o666)
	return steps - 1, problem, err
}

// close closes the file, which a later run continues.
func (j *journal) close() error {
	j.err = nil
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	j.file = nil
	return err
}

// end closes the file and moves it away, or removes it if it has no name to go to.
func (j *journal) end(to string) error {
	if j.file == nil {
		return j.close()
	}
	err := j.close()
	if to == "" {
		return errors.Join(err, os.Remove(j.name))
	}
	return errors.Join(err, os.Rename(j.name, to))
}
