package teach

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
)

// Place says where a session's fields and poses are.
type Place struct {
	Frame string
	Datum []float64     // longitude and latitude of the map's origin, degrees; empty: unknown
	Stale time.Duration // age from which on a pose is too old
}

// Session is a recording. It is not safe for concurrent use.
type Session struct {
	cfg     Config
	place   Place
	rec     *outline.Recorder
	journal journal

	driving  bool // poses are collected while the robot drives, not at corners only
	restored int  // steps of an earlier run, 0 once a person has gone on
	newest   *localization.Pose
	told     localization.Pose // the last pose that the recorder was told
	synced   int64             // stamp of the last pose that is on the disk for sure, ns

	edge      []orb.Point // of the open ring
	cut       int         // how often points were taken back or begun anew
	version   int         // of the closed rings
	crossings []orb.Point // of the last refusal
	problem   string      // why there is no field yet
}

// Open returns the session of an earlier run, or a new one without rings. notes are for the log.
func Open(cfg Config, place Place) (s *Session, notes []string, err error) {
	s = &Session{cfg: cfg, place: place}
	if err := s.renew(); err != nil {
		return nil, nil, err
	}
	n, problem, err := s.journal.read(func(t *step) error { return t.apply(s.rec) })
	if err != nil {
		return nil, nil, fmt.Errorf("outline.file: the recording %s cannot be continued: %w", s.journal.name, err)
	}
	if problem != "" {
		notes = append(notes, problem)
	}
	if s.restored = n; n > 0 {
		notes = append(notes, fmt.Sprintf("the recording of an earlier run is continued: %s; if the localisation was started anew without a datum, its positions do not fit together, and it should be discarded", s.journal.name))
	}
	s.changed()
	return s, notes, nil
}

// renew begins a session without rings.
func (s *Session) renew() (err error) {
	rules := s.cfg.rules()
	if s.rec, err = outline.New(rules); err != nil {
		return err
	}
	s.journal = journal{name: s.cfg.File + journalSuffix, first: start{Rules: rules, Frame: s.place.Frame, Datum: s.place.Datum}}
	s.driving, s.restored, s.crossings, s.told = false, 0, nil, localization.Pose{}
	s.changed()
	return nil
}

// Empty reports whether nothing is recorded.
func (s *Session) Empty() bool {
	_, _, open := s.rec.Open()
	return !open && len(s.rec.Rings()) == 0
}

// take tells the recorder a step, and writes it down unless that fails.
func (s *Session) take(t step, matters bool) error {
	if err := t.apply(s.rec); err != nil {
		return err
	}
	s.journal.append(&t, matters)
	return nil
}

// changed brings what is derived from the recorder up to date.
func (s *Session) changed() {
	_, s.edge, _ = s.rec.Open()
	s.cut++
	s.version++
	s.problem = ""
	if _, err := s.rec.Field(); err != nil {
		s.problem = words(err)
	}
}

// Load begins with the rings of a field, to edit them.
func (s *Session) Load(f field.Field) error {
	if err := s.take(step{Load: &f}, true); err != nil {
		return errors.New(words(err))
	}
	s.changed()
	return nil
}

// Poses that are nearer to the last one than these shares of the spacing and of the turn, and not
// a second later, say nothing new.
const (
	leastShare = 0.2
	longestGap = time.Second
	syncPeriod = 2 * time.Second
)

// Pose takes the robot's newest pose.
func (s *Session) Pose(p localization.Pose) {
	s.newest = &p
	if _, _, open := s.rec.Open(); !open || !s.driving {
		return
	}
	rules := s.cfg.rules()
	gap := p.Stamp - s.told.Stamp
	if math.Hypot(p.X-s.told.X, p.Y-s.told.Y) < leastShare*rules.Spacing && gap >= 0 && gap < int64(longestGap) &&
		math.Abs(math.Remainder(p.Yaw-s.told.Yaw, 2*math.Pi)) < leastShare*rules.Turn {
		return
	}
	s.told = p
	t := poseStep(&p, false)
	collected, err := s.rec.Drive(p)
	if err != nil && !errors.As(err, new(*outline.PoseError)) {
		s.driving = false // it has the most points
		return
	}
	matters := p.Stamp-s.synced > int64(syncPeriod)
	if matters {
		s.synced = p.Stamp
	}
	s.journal.append(&t, matters)
	if collected {
		_, s.edge, _ = s.rec.Open()
	}
}

// Words are the commands of a session, without save, which the caller carries out.
var Words = []string{"outline", "keepout", "corner", "drive", "hold", "undo", "close"}

// Do carries out a command at a time, ns. It says what was done, or why it was not.
func (s *Session) Do(word string, now int64) (done bool, text string) {
	var err error
	switch word {
	case "outline":
		text, err = s.begin(outline.Boundary)
	case "keepout":
		text, err = s.begin(outline.KeepOut)
	case "corner":
		text, err = s.corner(now)
	case "drive", "hold":
		text, err = s.drive(word == "drive")
	case "undo":
		text, err = s.undo()
	case "close":
		text, err = s.close()
	default:
		err = errors.New("there is no such command")
	}
	return s.answer(text, err)
}

// answer returns what Do and Edit return after a command or an edit, and keeps where the ring
// crosses itself that was refused.
func (s *Session) answer(text string, err error) (done bool, told string) {
	s.crossings = nil
	if err != nil {
		var crossed *outline.CrossingsError
		if errors.As(err, &crossed) {
			for _, c := range crossed.Crossings {
				s.crossings = append(s.crossings, c.At)
			}
		}
		return false, words(err)
	}
	s.restored = 0
	if err := s.journal.err; err != nil {
		text += "; it is NOT on the disk, and a restart would lose it: " + err.Error()
	}
	return true, text
}

func (s *Session) begin(kind outline.Kind) (string, error) {
	if err := s.take(step{Begin: &kind}, true); err != nil {
		return "", err
	}
	s.driving, s.told = true, localization.Pose{}
	s.changed()
	if s.newest != nil {
		s.Pose(*s.newest)
	}
	return fmt.Sprintf("the recording of the %v has begun: drive along its edge, and close it where you began", kind), nil
}

func (s *Session) corner(now int64) (string, error) {
	if s.newest == nil {
		return "", errors.New("there is no pose yet")
	}
	if age := time.Duration(now - s.newest.Stamp); s.place.Stale > 0 && age > s.place.Stale {
		return "", fmt.Errorf("the newest pose is %.1f s old, and the limit is %g s", age.Seconds(), s.place.Stale.Seconds())
	}
	// take would pass a refused pose over in silence.
	err := s.rec.Corner(*s.newest)
	if err == nil || errors.As(err, new(*outline.PoseError)) {
		t := poseStep(s.newest, true)
		s.journal.append(&t, true)
	}
	if err != nil {
		return "", err
	}
	s.told = *s.newest
	_, s.edge, _ = s.rec.Open()
	at := s.edge[len(s.edge)-1]
	return fmt.Sprintf("corner %d at (%.2f, %.2f) m", len(s.edge), at[0], at[1]), nil
}

func (s *Session) drive(on bool) (string, error) {
	kind, _, open := s.rec.Open()
	if !open {
		return "", fmt.Errorf("%w: begin an outline or a keep-out first", outline.ErrNotOpen)
	}
	if s.driving = on; on {
		return fmt.Sprintf("points of the %v are collected while driving", kind), nil
	}
	return "nothing is collected while driving; add corners one by one", nil
}

func (s *Session) undo() (string, error) {
	before, _, open := s.rec.Open()
	n := len(s.edge)
	if err := s.take(step{Undo: true}, true); err != nil {
		return "", err
	}
	s.driving = false // or the next pose would collect the point again
	s.changed()
	after, _, stays := s.rec.Open()
	switch {
	case open && stays:
		return fmt.Sprintf("%d points are left of %d; nothing is collected while driving until you say so", len(s.edge), n), nil
	case open:
		return fmt.Sprintf("the %v without points is dropped", before), nil
	case stays:
		return fmt.Sprintf("the %v is open again, with %d points", after, len(s.edge)), nil
	}
	return "the last edit is taken back", nil
}

func (s *Session) close() (string, error) {
	if err := s.take(step{Close: true}, true); err != nil {
		return "", err
	}
	s.driving = false
	s.changed()
	rings := s.rec.Rings()
	r := rings[len(rings)-1]
	return fmt.Sprintf("the %v is closed: %s, %.0f m long, %d corners, standard deviation of its edge %.2g m", r.Kind, area(r.Area), r.Length, len(r.Points)-1, r.StdDev), nil
}

func area(m2 float64) string {
	if m2 < 1000 {
		return fmt.Sprintf("%.0f m²", m2)
	}
	return fmt.Sprintf("%.3g ha", m2/1e4)
}

// Edit changes a closed ring.
func (s *Session) Edit(c web.Edit) (done bool, text string) {
	text, err := s.edit(c)
	if err == nil {
		s.changed()
		if s.problem != "" {
			text += "; it cannot be saved so: " + s.problem
		}
	}
	return s.answer(text, err)
}

func (s *Session) edit(c web.Edit) (text string, err error) {
	rings := s.rec.Rings()
	switch {
	case c.Version != s.version:
		return "", errors.New("the rings have changed meanwhile: look again")
	case c.Ring < 0 || c.Ring >= len(rings) || rings[c.Ring].Points == nil:
		return "", fmt.Errorf("there is no ring %d", c.Ring+1)
	}
	kind, ring := rings[c.Ring].Kind, rings[c.Ring].Points
	corners := append([]orb.Point(nil), ring[:len(ring)-1]...)
	if c.Op == "remove" {
		return fmt.Sprintf("the %v is removed", kind), s.take(step{Ring: c.Ring, Remove: true}, true)
	}
	if c.Corner < 0 || c.Corner >= len(corners) {
		return "", fmt.Errorf("the %v has no corner %d", kind, c.Corner+1)
	}
	switch c.Op {
	case "move":
		corners[c.Corner] = c.At
		text = fmt.Sprintf("corner %d is moved to (%.2f, %.2f) m", c.Corner+1, c.At[0], c.At[1])
	case "insert":
		corners = append(corners[:c.Corner+1], append([]orb.Point{c.At}, corners[c.Corner+1:]...)...)
		text = fmt.Sprintf("corner %d is inserted at (%.2f, %.2f) m", c.Corner+2, c.At[0], c.At[1])
	case "delete":
		corners = append(corners[:c.Corner], corners[c.Corner+1:]...)
		text = fmt.Sprintf("corner %d is deleted", c.Corner+1)
	default:
		return "", errors.New("want the op move, insert, delete or remove")
	}
	return text, s.take(step{Ring: c.Ring, Corners: corners}, true)
}

// Field returns the recorded field.
func (s *Session) Field() (field.Field, error) {
	f, err := s.rec.Field()
	if err != nil {
		return f, errors.New(words(err))
	}
	return f, nil
}

// Save writes the field to the file of the configuration and ends the recording. A file that is
// replaced is kept as backup, "" if there was none.
func (s *Session) Save() (backup string, err error) {
	f, err := s.Field()
	if err != nil {
		return "", err
	}
	datum, err := convert.Datum("field.datum", s.place.Datum)
	if err != nil {
		return "", err
	}
	if backup, err = convert.WriteBoundary(s.cfg.File, f, datum); err != nil {
		return "", err
	}
	return backup, errors.Join(s.journal.end(""), s.renew())
}

// Discard ends the recording without a field. kept is the name of the file with it.
func (s *Session) Discard() (kept string, err error) {
	if s.journal.file != nil {
		kept = s.cfg.File + discardedSuffix
	}
	return kept, errors.Join(s.journal.end(kept), s.renew())
}

// Close closes the file of the recording, which a later run continues.
func (s *Session) Close() error {
	if s.journal.file == nil {
		return nil
	}
	err := s.journal.file.Close()
	s.journal.file = nil
	return err
}

// words returns an error without the name of the package that made it.
func words(err error) string {
	return strings.NewReplacer("outline: ", "", "planner: ", "").Replace(err.Error())
}
