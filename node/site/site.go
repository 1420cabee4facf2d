package site

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/teach"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/web"
)

// Site is for the goroutine of its node's executor.
type Site struct {
	node  *ros.Node
	cfg   *explorer.Config // of the parameters
	given explorer.Config  // before an explorer has chosen the values that follow the field

	session  *teach.Session     // nil: outline.file is empty, and there always is an explorer
	explorer *explorer.Explorer // nil: a field is recorded
	part     *ros.Node          // with all that the explorer, or the recording, has opened
	listener *listener          // to poses, while a field is recorded

	page  bool
	run   int        // of explorers and recordings
	scene *web.Scene // while a field is recorded
	warn  ros.Throttle
}

// recordWords are the commands of a recording.
var recordWords = append(slices.Clone(teach.Words), "edit", "discard", "save")

const recordPrefix = "record "

// New starts an explorer on a node whose parameters are bound to cfg, or the recording of its
// field if there is none.
func New(node *ros.Node, cfg *explorer.Config) (*Site, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	s := &Site{node: node, cfg: cfg, warn: node.NewThrottle(time.Second)}
	page := cfg.Web
	cfg.Web.Token, cfg.Hosted = "", true
	s.page = page.On() && explorer.ForPeople(node)
	s.given = *cfg
	if err := s.begin(); err != nil {
		return nil, err
	}
	triggers := slices.Clone(explorer.Services)
	if s.session != nil {
		for _, word := range recordWords {
			triggers = append(triggers, recordPrefix+word)
		}
	}
	if err := explorer.ServeCommands(node, s.words, triggers, s.order); err != nil {
		return nil, err
	}
	if s.page {
		if err := explorer.ServePage(node, page, cfg, s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// begin makes the explorer, or begins with the recording.
func (s *Site) begin() error {
	if s.cfg.Teach.On() {
		session, notes, err := teach.Open(s.cfg.Teach, teach.Place{
			Frame: s.cfg.Frame, Datum: s.cfg.Field.Datum, Stale: time.Duration(s.cfg.Mission.PoseTimeout * float64(time.Second)),
		})
		if err != nil {
			return err
		}
		for _, note := range notes {
			s.node.Logger().Warn(note)
		}
		s.session = session
		s.node.OnShutdown(func() {
			if err := session.Close(); err != nil {
				s.node.Logger().Error("the recording of the field could not be closed", "error", err.Error())
			}
		})
		if !session.Empty() {
			return s.record()
		}
	}
	err := s.explore()
	if s.session != nil && errors.Is(err, explorer.ErrNoField) {
		s.node.Logger().Info("there is no field: record its outline on the page or by the services ~/record/…", "outline.file", s.cfg.Teach.File)
		return s.record()
	}
	return err
}

// explore makes the explorer.
func (s *Site) explore() error {
	*s.cfg = s.given
	part := s.node.Part()
	e, err := explorer.New(part, s.cfg)
	if err != nil {
		return errors.Join(err, part.Close())
	}
	s.part, s.explorer, s.listener = part, e, nil
	s.run++
	return nil
}

// record begins to listen for a recording. There must be no explorer.
func (s *Site) record() error {
	part := s.node.Part()
	l, err := listen(part, s)
	if err != nil {
		return errors.Join(err, part.Close())
	}
	s.part, s.explorer, s.listener, s.scene = part, nil, l, nil
	s.run++
	return nil
}

// stopExploring ends an explorer whose mission has not begun.
func (s *Site) stopExploring() error {
	err := s.part.Close()
	s.part, s.explorer = nil, nil
	return err
}

// Finished reports whether the mission is over and its record written.
func (s *Site) Finished() bool { return s.explorer != nil && s.explorer.Finished() }

// WriteReport is that of the explorer; without one there is nothing to write.
func (s *Site) WriteReport() error {
	if s.explorer == nil {
		return nil
	}
	return s.explorer.WriteReport()
}

// Explorer returns the explorer, nil while a field is recorded.
func (s *Site) Explorer() *explorer.Explorer { return s.explorer }

// words lists the commands.
func (s *Site) words() string {
	list := explorer.Words()
	if s.session != nil {
		list += ", " + recordPrefix + strings.Join(recordWords, ", "+recordPrefix)
	}
	return list
}

// order carries out a command in words.
func (s *Site) order(words string) (done bool, text string, err error) {
	fields := strings.Fields(words)
	if s.session != nil && len(fields) == 2 && fields[0]+" " == recordPrefix && slices.Contains(recordWords, fields[1]) {
		done, text = s.recordBy(fields[1])
		return done, text, nil
	}
	if s.explorer != nil {
		return s.explorer.Order(words)
	}
	if len(fields) > 0 && (fields[0] == "goto" || slices.Contains(explorer.Services, fields[0])) {
		return false, "a field is being recorded, and no mission drives the robot: " + s.session.Text(s.node.Now()), nil
	}
	return false, "", explorer.ErrWord
}

// recordBy carries out a command of the recording.
func (s *Site) recordBy(word string) (done bool, text string) {
	if s.explorer != nil {
		switch word {
		case "outline", "keepout", "edit":
			if why := s.explorer.Busy(); why != "" {
				return false, "no field can be recorded now: " + why
			}
			return s.leave(word)
		}
		return false, "no field is being recorded: begin with record outline, or with record edit to change the field"
	}
	var err error
	switch word {
	case "edit":
		return false, "a field is being recorded already: edit its rings when they are closed"
	case "save":
		text, err = s.save()
	case "discard":
		text, err = s.discard()
	default:
		return s.session.Do(word, s.node.Now())
	}
	if err != nil {
		return false, err.Error()
	}
	return true, text
}

// leave ends the explorer for a recording that begins with a command.
func (s *Site) leave(word string) (done bool, text string) {
	if word == "edit" {
		if err := s.load(); err != nil {
			return false, err.Error()
		}
	}
	if err := errors.Join(s.stopExploring(), s.record()); err != nil {
		s.node.Logger().Error("the recording of a field cannot begin", "error", err.Error())
		return false, err.Error()
	}
	if word == "edit" {
		return true, "the field can be edited; no mission drives the robot until it is saved or the changes are discarded"
	}
	return s.session.Do(word, s.node.Now())
}

// load gives the explorer's field to the session. A recorded file is in the same place as the one
// that it replaces.
func (s *Site) load() error {
	if s.cfg.Field.File == "" {
		return s.session.Load(s.cfg.Outline)
	}
	f, err := convert.ReadBoundary(s.cfg.Field.File, s.cfg.Field.Datum)
	if err != nil {
		return err
	}
	return s.session.Load(f)
}

// save writes the recorded field and makes an explorer for it.
func (s *Site) save() (text string, err error) {
	f, err := s.session.Field()
	if err != nil {
		return "", err
	}
	if err := s.given.CheckField(f); err != nil {
		return "", fmt.Errorf("no mission is possible on this field: %w", err)
	}
	backup, err := s.session.Save()
	if err != nil {
		return "", err
	}
	s.given.Field.File = s.cfg.Teach.File
	s.given.AutoStart = false // nobody expects the robot to set out now
	if err := s.goBack(); err != nil {
		return "", fmt.Errorf("the field is saved in %s, but no explorer can be made for it: %w", s.cfg.Teach.File, err)
	}
	text = "the field is saved in " + s.cfg.Teach.File
	if backup != "" {
		text += ", and the one before in " + backup
	}
	if f.StdDev > 0 {
		text += fmt.Sprintf("; the robot keeps %.2g m farther from its edge than field.margin, twice the standard deviation of the edge", 2*f.StdDev)
	}
	s.node.Logger().Info("a recorded field is used", "outline.file", s.cfg.Teach.File, "edge_stddev_m", f.StdDev, "backup", backup)
	return text + "; start begins the mission", nil
}

// discard ends the recording. Where there was a field, an explorer is made for it.
func (s *Site) discard() (text string, err error) {
	kept, err := s.session.Discard()
	if err != nil {
		return "", err
	}
	text = "the recording is discarded"
	if kept != "" {
		text += "; it is kept in " + kept
	}
	err = s.goBack()
	if errors.Is(err, explorer.ErrNoField) {
		return text + "; there is no field yet", s.record()
	}
	return text, err
}

// goBack ends listening and makes an explorer.
func (s *Site) goBack() error {
	s.given.AutoStart = false
	if err := s.part.Close(); err != nil {
		return err
	}
	err := s.explore()
	if err != nil && !errors.Is(err, explorer.ErrNoField) {
		return errors.Join(err, s.record())
	}
	return err
}
