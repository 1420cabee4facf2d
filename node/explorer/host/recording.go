package host

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
)

// recording is a recording of a field. It moves nothing.
type recording struct {
	cfg     *explorer.Config
	rec     *outline.Recorder
	journal journal

	driving  bool // poses are collected while the robot drives, not at corners only
	restored bool // from an earlier run, and nobody has gone on yet
	newest   *localization.Pose
	told     localization.Pose // the last pose that the recorder was told
	synced   int64             // stamp of the last pose that is on the disk for sure, ns

	edge      []orb.Point // of the open ring
	cut       int         // how often points were taken back or begun anew
	version   int         // of the closed rings
	crossings []orb.Point // of the last refusal
	problem   string      // why there is no field yet
}

// newRecording returns a recording without rings.
func newRecording(cfg *explorer.Config) *recording {
	r := &recording{cfg: cfg, rec: outline.New(cfg.Teach.Config)}
	first, _ := (&step{Start: &start{Rules: cfg.Teach.Config, Frame: cfg.Frame, Datum: cfg.Field.Datum}}).line() // of numbers and strings
	r.journal = journal{name: cfg.Teach.File + journalSuffix, first: first}
	r.changed()
	return r
}

// openRecording returns the recording of an earlier run, or one without rings. notes are for the log.
func openRecording(cfg *explorer.Config) (r *recording, notes []string, err error) {
	r = newRecording(cfg)
	n, problem, err := r.journal.read(func(t *step) error { return t.apply(r.rec) })
	if err != nil {
		return nil, nil, fmt.Errorf("outline.file: the recording %s cannot be continued: %w", r.journal.name, err)
	}
	if problem != "" {
		notes = append(notes, problem)
	}
	if r.restored = n > 0; r.restored {
		notes = append(notes, fmt.Sprintf("the recording of an earlier run is continued: %s; if the localisation was started anew without a datum, its positions do not fit together, and it should be discarded", r.journal.name))
	}
	r.changed()
	return r, notes, nil
}

// empty reports whether nothing is recorded.
func (r *recording) empty() bool {
	_, _, open := r.rec.Open()
	return !open && len(r.rec.Rings()) == 0
}

// take tells the recorder a step, and writes it down unless that fails.
func (r *recording) take(t step) error {
	if err := t.apply(r.rec); err != nil {
		return err
	}
	r.journal.append(&t, true)
	return nil
}

// changed brings what is derived from the recorder up to date.
func (r *recording) changed() {
	_, r.edge, _ = r.rec.Open()
	r.cut++
	r.version++
	r.problem = ""
	if _, err := r.rec.Field(); err != nil {
		r.problem = words(err)
	}
}

// load begins with the rings of a field, to edit them.
func (r *recording) load(f field.Field) error {
	if err := r.take(step{Load: &f}); err != nil {
		return errors.New(words(err))
	}
	r.changed()
	return nil
}

// Poses that are nearer to the last one than these shares of the spacing and of the turn, and not
// a second later, say nothing new.
const (
	leastShare = 0.2
	longestGap = time.Second
	syncPeriod = 2 * time.Second
)

// pose takes the robot's newest pose.
func (r *recording) pose(p localization.Pose) {
	r.newest = &p
	if _, _, open := r.rec.Open(); !open || !r.driving {
		return
	}
	rules := &r.cfg.Teach.Config
	gap := p.Stamp - r.told.Stamp
	if math.Hypot(p.X-r.told.X, p.Y-r.told.Y) < leastShare*rules.Spacing && gap >= 0 && gap < int64(longestGap) &&
		math.Abs(math.Remainder(p.Yaw-r.told.Yaw, 2*math.Pi)) < leastShare*rules.Turn {
		return
	}
	r.told = p
	t := poseStep(&p, false)
	collected, err := r.rec.Drive(p)
	if err != nil && !errors.As(err, new(*outline.PoseError)) {
		r.driving = false // it has the most points
		return
	}
	matters := p.Stamp-r.synced > int64(syncPeriod)
	if matters {
		r.synced = p.Stamp
	}
	r.journal.append(&t, matters)
	if collected {
		_, r.edge, _ = r.rec.Open()
	}
}

// do carries out a command at a time, ns, except those that end the recording. It says what was
// done, or why it was not.
func (r *recording) do(word string, now int64) (done bool, text string) {
	text, err := r.command(word, now)
	return r.answer(text, err)
}

func (r *recording) command(word string, now int64) (string, error) {
	kind, _, open := r.rec.Open()
	before := len(r.edge)
	switch word {
	case "outline", "keepout":
		kind = outline.Boundary
		if word == "keepout" {
			kind = outline.KeepOut
		}
		if err := r.take(step{Begin: &kind}); err != nil {
			return "", err
		}
		r.driving, r.told = true, localization.Pose{}
		r.changed()
		if r.newest != nil {
			r.pose(*r.newest)
		}
		return fmt.Sprintf("the recording of the %v has begun: drive along its edge, and close it where you began", kind), nil
	case "corner":
		return r.corner(now)
	case "drive", "hold":
		if !open {
			return "", fmt.Errorf("%w: begin an outline or a keep-out first", outline.ErrNotOpen)
		}
		if r.driving = word == "drive"; r.driving {
			return fmt.Sprintf("points of the %v are collected while driving", kind), nil
		}
		return "nothing is collected while driving; add corners one by one", nil
	case "undo":
		if err := r.take(step{Undo: true}); err != nil {
			return "", err
		}
		r.driving = false // or the next pose would collect the point again
		r.changed()
		after, _, stays := r.rec.Open()
		switch {
		case open && stays:
			return fmt.Sprintf("%d points are left of %d; nothing is collected while driving until you say so", len(r.edge), before), nil
		case open:
			return fmt.Sprintf("the %v without points is dropped", kind), nil
		case stays:
			return fmt.Sprintf("the %v is open again, with %d points", after, len(r.edge)), nil
		}
		return "the last edit is taken back", nil
	case "close":
		if err := r.take(step{Close: true}); err != nil {
			return "", err
		}
		r.driving = false
		r.changed()
		rings := r.rec.Rings()
		ring := &rings[len(rings)-1]
		area := fmt.Sprintf("%.0f m²", ring.Area)
		if ring.Area >= 1000 {
			area = fmt.Sprintf("%.3g ha", ring.Area/1e4)
		}
		return fmt.Sprintf("the %v is closed: %s, %.0f m long, %d corners, standard deviation of its edge %.2g m", ring.Kind, area, ring.Length, len(ring.Points)-1, ring.StdDev), nil
	}
	return "", errors.New("there is no such command")
}

// answer returns what do and edit return after a command or an edit, and keeps where the ring
// crosses itself that was refused.
func (r *recording) answer(text string, err error) (done bool, told string) {
	r.crossings = nil
	if err != nil {
		var crossed *outline.CrossingsError
		if errors.As(err, &crossed) {
			for _, c := range crossed.Crossings {
				r.crossings = append(r.crossings, c.At)
			}
		}
		return false, words(err)
	}
	r.restored = false
	if err := r.journal.err; err != nil {
		text += "; it is NOT on the disk, and a restart would lose it: " + err.Error()
	}
	return true, text
}

func (r *recording) corner(now int64) (string, error) {
	if r.newest == nil {
		return "", errors.New("there is no pose yet")
	}
	if age, limit := r.age(now), r.cfg.Mission.PoseTimeout; age > limit {
		return "", fmt.Errorf("the newest pose is %.1f s old, and the limit is %g s", age, limit)
	}
	// take would pass a refused pose over in silence.
	err := r.rec.Corner(*r.newest)
	if err == nil || errors.As(err, new(*outline.PoseError)) {
		t := poseStep(r.newest, true)
		r.journal.append(&t, true)
	}
	if err != nil {
		return "", err
	}
	r.told = *r.newest
	_, r.edge, _ = r.rec.Open()
	at := r.edge[len(r.edge)-1]
	return fmt.Sprintf("corner %d at (%.2f, %.2f) m", len(r.edge), at[0], at[1]), nil
}

// edit changes a closed ring.
func (r *recording) edit(c web.Edit) (done bool, text string) {
	text, err := r.change(c)
	if err == nil {
		r.changed()
		if r.problem != "" {
			text += "; it cannot be saved so: " + r.problem
		}
	}
	return r.answer(text, err)
}

func (r *recording) change(c web.Edit) (text string, err error) {
	rings := r.rec.Rings()
	switch {
	case c.Version != r.version:
		return "", errors.New("the rings have changed meanwhile: look again")
	case c.Ring < 0 || c.Ring >= len(rings) || rings[c.Ring].Points == nil:
		return "", fmt.Errorf("there is no ring %d", c.Ring+1)
	}
	kind, ring := rings[c.Ring].Kind, rings[c.Ring].Points
	corners := slices.Clone(ring[:len(ring)-1])
	if c.Op == "remove" {
		return fmt.Sprintf("the %v is removed", kind), r.take(step{Ring: c.Ring, Remove: true})
	}
	if c.Corner < 0 || c.Corner >= len(corners) {
		return "", fmt.Errorf("the %v has no corner %d", kind, c.Corner+1)
	}
	switch c.Op {
	case "move":
		corners[c.Corner] = c.At
		text = fmt.Sprintf("corner %d is moved to (%.2f, %.2f) m", c.Corner+1, c.At[0], c.At[1])
	case "insert":
		corners = slices.Insert(corners, c.Corner+1, c.At)
		text = fmt.Sprintf("corner %d is inserted at (%.2f, %.2f) m", c.Corner+2, c.At[0], c.At[1])
	case "delete":
		corners = slices.Delete(corners, c.Corner, c.Corner+1)
		text = fmt.Sprintf("corner %d is deleted", c.Corner+1)
	default:
		return "", errors.New("want the op move, insert, delete or remove")
	}
	return text, r.take(step{Ring: c.Ring, Corners: corners})
}

// field returns the recorded field.
func (r *recording) field() (field.Field, error) {
	f, err := r.rec.Field()
	if err != nil {
		return f, errors.New(words(err))
	}
	return f, nil
}

// save writes the recorded field to the file of the configuration and ends the recording. A file that
// is replaced is kept as backup, "" if there was none.
func (r *recording) save(f field.Field) (backup string, err error) {
	datum, err := convert.Datum("field.datum", r.cfg.Field.Datum)
	if err != nil {
		return "", err
	}
	if backup, err = convert.WriteBoundary(r.cfg.Teach.File, f, datum); err != nil {
		return "", err
	}
	return backup, r.journal.end("")
}

// discard ends the recording without a field. kept is the name of the file with it.
func (r *recording) discard() (kept string, err error) {
	if r.journal.file != nil {
		kept = r.cfg.Teach.File + discardedSuffix
	}
	return kept, r.journal.end(kept)
}

// words returns an error without the name of the package that made it.
func words(err error) string {
	return strings.NewReplacer("outline: ", "", "planner: ", "").Replace(err.Error())
}
