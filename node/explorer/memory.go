package explorer

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// program names the writer of a record.
const program = "ugp_explorer"

// memory keeps the mission: its record in memory, and its journal and bags in the mission's
// folder. Nothing else writes there while the mission is under way. Without a folder it
// has no journal.
type memory struct {
	node *ros.Node
	cfg  *settings.Config

	record       record.Mission
	settings     record.Settings
	tracks       record.Tracks
	trackStdDev  []float64        // standard deviation of the position at each point of the estimated path, m
	spacing      float64          // least distance between two points of a track, m
	countsBefore map[string]int64 // of the runs before this one, by name
	startWall    time.Time
	saved        bool  // the record on disk is the newest
	kept         bool  // that of a mission which was over and written before this run; it is only shown
	resultLogged bool  // the log has what the mission has found
	err          error // why the record could not be written

	journal  *journal.Journal // nil: none is kept
	begun    bool
	useless  bool           // the folder has a journal that cannot be used, which this mission replaces when it begins
	stuck    bool           // the mission was told that the journal cannot be written
	progress mission.Status // as last written
	tracked  int            // points of the track that are written
	bags     *recorder.Folder

	status func() mission.Status
	text   func() string
	counts func() map[string]int64
	broken func(reason string) // the journal cannot be written
	mended func()              // it can again
}

func newMemory(node *ros.Node, cfg *settings.Config, ground *ground.Ground, spacing float64) (*memory, error) {
	m := &memory{
		node: node, cfg: cfg, broken: func(string) {}, mended: func() {}, spacing: spacing, settings: record.Settings{}, startWall: cfg.Wall(),
		record: record.Mission{
			Version: record.Version, Program: program,
			Method: cfg.Method, Seed: uint64(cfg.Seed), Passive: cfg.Passive, Frame: cfg.Frame,
			Objective: record.Objective(cfg.Objective), Quantity: cfg.Quantity, Units: cfg.Units, Transform: record.Transform(cfg.Reading.Transform),
			Field: convert.FieldRecord(ground.Outline(), cfg.Field.Name, ground.Region().Margin()),
		},
	}
	if cfg.Objective == planner.ObjectiveThreshold {
		reading, _, _ := cfg.Levels() // Validate has checked it
		m.record.Threshold = &reading
	}
	var err error
	recorded := cfg.Record
	if cfg.OutputDir == "" || cfg.Alone {
		recorded.Topics = recorder.None
	}
	m.bags, err = recorder.New(node, cfg.OutputDir, "~/command", recorded)
	return m, err
}

// open opens the journal in the mission's folder. It returns the mission there that is to
// be taken up, nil for none, or refuses to take it up; then the journal is to be abandoned.
func (m *memory) open() (*journal.State, error) {
	dir := m.cfg.OutputDir
	if dir == "" || m.cfg.Alone && m.cfg.Passive { // a replay can be had again
		return nil, nil
	}
	j, found, err := journal.Open(m.cfg.Disk, dir)
	if m.cfg.Existing == settings.ExistingReplace && errors.Is(err, journal.ErrUnreadable) {
		m.useless = true
		m.bags.Replace(m.bags.Names()) // it cannot tell which are its own
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("explorer: output_dir: %w", err)
	}
	m.journal = j
	return m.goesOn(found)
}

// abandon closes the journal of a mission that does not begin.
func (m *memory) abandon() error {
	if m.journal == nil {
		return nil
	}
	err := m.journal.Close()
	m.journal = nil
	return err
}

// goesOn returns the mission that was found in the folder if it is taken up, nil otherwise. The error
// says why there can be no mission in that folder.
func (m *memory) goesOn(found *journal.State) (*journal.State, error) {
	dir, again := m.cfg.OutputDir, "give another output_dir, or set existing_mission to replace to begin anew and lose it"
	_, err := os.Stat(filepath.Join(dir, record.MissionFile))
	recorded := err == nil
	switch {
	case m.cfg.Existing == settings.ExistingReplace:
		if found != nil {
			m.bags.Replace(found.Bags)
		} else if recorded { // by a mission without a journal
			m.bags.Replace(m.bags.Names())
		}
		return nil, nil
	case found == nil, found.Started == nil, found.Saved && len(found.Observations) == 0:
		if recorded {
			return nil, fmt.Errorf("explorer: output_dir %s has the %s of a mission that cannot be taken up, as it has no journal: %s", dir, record.MissionFile, again)
		}
		return nil, nil
	case found.Saved && (m.cfg.Existing == settings.ExistingRefuse || m.cfg.Passive):
		return nil, fmt.Errorf("explorer: output_dir %s has a mission that is over (%s): %s", dir, found.Mission.Ending, again)
	case m.cfg.Existing == settings.ExistingRefuse:
		return nil, fmt.Errorf("explorer: output_dir %s has a mission that is not over, with %d samples, and existing_mission is %s: "+
			"set it to resume to go on with that, or %s", dir, len(found.Observations), settings.ExistingRefuse, again)
	}
	return found, nil
}

// more notes that the mission goes on with larger limits. The journal of one that is over and written is opened again.
func (m *memory) more(added mission.Budget) error {
	if m.journal == nil && m.cfg.OutputDir != "" {
		j, found, err := journal.Open(m.cfg.Disk, m.cfg.OutputDir)
		if err != nil {
			return fmt.Errorf("output_dir: %w", err)
		}
		m.journal = j
		if found == nil || found.Started == nil || found.Started.Wall != m.startWall.UnixNano() {
			return errors.Join(fmt.Errorf("output_dir %s does not have the journal of this mission any more", m.cfg.OutputDir), m.abandon())
		}
		m.begun = true
	}
	if m.begun {
		if err := m.journal.Commit(journal.MoreOf(m.node.Now(), added)); err != nil {
			return fmt.Errorf("the journal cannot be written: %w", err)
		}
	}
	m.saved, m.kept, m.resultLogged = false, false, false
	return nil
}

// beginning is what the journal says of the mission first.
func (m *memory) beginning() journal.Begin {
	cfg := m.cfg
	return journal.Begin{
		Version: journal.Version, Program: program, Passive: cfg.Passive, Frame: cfg.Frame, Quantity: cfg.Quantity, Units: cfg.Units,
		Transform: record.Transform(cfg.Reading.Transform), Reading: cfg.Reading.Type, Field: m.record.Field, Covariates: m.record.Covariates, Earlier: m.record.Earlier,
	}
}

func (m *memory) thisRun() journal.Run {
	return journal.Run{Stamp: m.node.Now(), Wall: m.cfg.Wall().UnixNano(), Settings: m.settings}
}

// begin starts the journal with the mission, homeDistance metres from home. It deletes the
// bags of an earlier mission in the folder, which existing_mission allows.
func (m *memory) begin(homeDistance float64) (err error) {
	if m.useless {
		if err := m.cfg.Disk.Remove(filepath.Join(m.cfg.OutputDir, journal.FileName)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if m.journal, _, err = journal.Open(m.cfg.Disk, m.cfg.OutputDir); err != nil {
			return err
		}
		m.useless = false
	}
	if m.journal == nil || m.begun {
		return nil
	}
	start := journal.Start{Stamp: m.node.Now(), Wall: m.startWall.UnixNano(), HomeDistance: homeDistance}
	if m.record.Home != nil {
		start.Home = *m.record.Home
	}
	if err := m.journal.Start(m.beginning(), m.thisRun(), start); err != nil {
		return err
	}
	m.begun = true
	m.bags.RemoveReplaced()
	m.beginBag()
	return nil
}

// failed handles the result of writing to the journal. While the journal cannot be
// written, the robot stands, or returns home if it is told to.
func (m *memory) failed(err error) {
	if err == nil {
		return
	}
	if !m.stuck {
		m.stuck = true
		m.node.Logger().Error("the journal cannot be written: nothing that is sampled would be safe", "folder", m.cfg.OutputDir, "error", err.Error())
	}
	m.broken("the journal cannot be written: " + err.Error())
}

// note adds an entry to the journal.
func (m *memory) note(entry any) {
	if m.begun {
		m.failed(m.journal.Append(entry))
	}
}

// noteStatus adds the mission's state. A state in which the robot stays where it is goes to
// the disk at once: without it the robot might drive off when the power returns.
func (m *memory) noteStatus() {
	if !m.begun {
		return
	}
	m.noteProgress()
	if m.cfg.Passive { // its state does not change
		return
	}
	m.progress = m.status()
	s := journal.Status{Mission: journal.MissionOf(m.progress, m.text()), Counts: m.counts()}
	switch m.progress.State {
	case mission.StatePaused, mission.StateFault, mission.StateDone:
		if !m.stuck {
			m.failed(m.journal.Commit(s))
			return
		}
	}
	m.note(s)
}

// noteProgress adds what was driven since the last entry.
func (m *memory) noteProgress() {
	s := m.status()
	if !m.begun || m.stuck || s.State == mission.StateDone || s.UsedDistance == m.progress.UsedDistance {
		return
	}
	track, stdDev := m.tracks.Estimated[m.tracked:], m.trackStdDev[m.tracked:]
	m.progress, m.tracked = s, len(m.tracks.Estimated)
	m.note(journal.Progress{Stamp: s.Stamp, Elapsed: s.Elapsed, Driving: s.Driving, Distance: s.UsedDistance, HomeDistance: s.HomeDistance, Track: track, StdDev: stdDev})
}

// watch tries to write a journal that could not be written, and tells the mission when it
// succeeds.
func (m *memory) watch() {
	switch {
	case m.journal == nil:
		return
	case !m.stuck:
		m.noteProgress()
		m.failed(m.journal.Err())
		return
	case m.journal.Retry() != nil:
		return
	}
	m.stuck = false
	m.node.Logger().Info("the journal can be written again", "folder", m.cfg.OutputDir)
	m.noteStatus()
	if !m.stuck {
		m.mended()
	}
}

// observed adds an observation. It is on the disk before it is published.
func (m *memory) observed(o record.Observation) error {
	if m.begun {
		if err := m.journal.Commit(o); err != nil {
			m.failed(err)
			return err
		}
	}
	m.record.Observations = append(m.record.Observations, o)
	m.saved = false
	return nil
}

// learnt adds what was learnt from the own samples so far. It replaces an entry for the same
// number of own samples, which knew fewer samples of team mates. hyper is nil if it has not
// changed.
func (m *memory) learnt(at record.RecommendedAt, hyper *record.HyperAt) {
	if hyper != nil {
		m.record.Hyper = latest(m.record.Hyper, *hyper, func(h record.HyperAt) int { return h.Samples })
	}
	m.record.Recommended = latest(m.record.Recommended, at, func(r record.RecommendedAt) int { return r.Samples })
	m.note(journal.Learnt{Recommended: at, Hyper: hyper})
	m.recommend(at)
}

// recommend names a place as the best, or none.
func (m *memory) recommend(at record.RecommendedAt) {
	if at.Target == nil {
		m.record.Recommendation = nil
		return
	}
	m.record.Recommendation = m.record.NewRecommendation(*at.Target, at.Mean, at.StdDev, at.Samples)
	m.record.Recommendation.AfterTeam = at.Team
}

// latest adds an entry to a list that has one entry for each number of samples.
func latest[T any](list []T, entry T, samples func(T) int) []T {
	if n := len(list); n > 0 && samples(list[n-1]) == samples(entry) {
		list[n-1] = entry
		return list
	}
	return append(list, entry)
}

// decided adds a decision, counted from 1; choice is nil if it found no target.
func (m *memory) decided(number int, choice *record.Decision) {
	if choice != nil {
		m.record.Decisions = append(m.record.Decisions, *choice)
	}
	m.note(journal.Decision{Number: number, Choice: choice})
}

// skipped adds a target that was given up.
func (m *memory) skipped(s journal.Skipped) {
	m.record.Skipped = append(m.record.Skipped, record.Skipped{Target: s.Target, Reason: s.Reason, Stamp: stampSeconds(s.Stamp)})
	m.note(s)
}

// track adds a place, known to a standard deviation, m, to the estimated path.
func (m *memory) track(at record.Place, stdDev float64) {
	m.tracks.Estimated = record.AppendApart(m.tracks.Estimated, at, m.spacing)
	if len(m.tracks.Estimated) > len(m.trackStdDev) {
		m.trackStdDev = append(m.trackStdDev, math.Round(1000*stdDev)/1000)
	}
}

// noteSaved notes that the mission is over and written, and ends the journal.
func (m *memory) noteSaved() {
	m.note(journal.Saved{Stamp: m.node.Now()})
	if !m.stuck {
		m.close(true)
	}
}

// close completes and closes the journal and the bag. Without a sample the journal is
// deleted if the mission cannot be resumed. The journal of an earlier mission stays if this
// one has not begun.
func (m *memory) close(over bool) {
	if m.journal == nil {
		return
	}
	if m.begun && !over {
		m.noteStatus()
	}
	end := m.journal.Close
	switch {
	case !m.begun:
		m.node.Logger().Info("the mission has not begun, and nothing of it is kept", "folder", m.cfg.OutputDir)
	case len(m.record.Observations) == 0 && (over || m.cfg.Existing == settings.ExistingReplace):
		m.node.Logger().Info("no sample was taken: the journal is removed, and its folder if nothing else is in it", "folder", m.cfg.OutputDir)
		end = m.journal.Discard
	}
	m.bags.End()
	err := end()
	m.begun, m.journal = false, nil
	if err != nil {
		m.err = errors.Join(m.err, err)
		m.node.Logger().Error("the journal was not written to its end", "error", err.Error())
	}
}

// notWritten completes the error of a record that could not be written, nil for none: it says
// whether the journal on the disk has the samples.
func (m *memory) notWritten(err error) error {
	if err == nil {
		return nil
	}
	n := len(m.record.Observations)
	if found, failed := journal.Read(m.cfg.OutputDir); failed != nil || len(found.Observations) < n {
		return fmt.Errorf("the samples are not saved: %w", err)
	}
	return fmt.Errorf("the results are not written, but all samples (%d) are saved in %s, from which the explorer writes them when it is started again with this output_dir: %w",
		n, filepath.Join(m.cfg.OutputDir, journal.FileName), err)
}

// beginBag starts the next bag of the mission and ends the one before.
func (m *memory) beginBag() {
	if !m.bags.On() || !m.begun {
		return
	}
	name := m.bags.Next()
	m.note(journal.Bag{Stamp: m.node.Now(), Name: name})
	m.bags.Begin(name)
}

// watchBags keeps the bags within their limit.
func (m *memory) watchBags() {
	m.bags.Watch()
	if !m.begun {
		return
	}
	if m.bags.Full() {
		m.beginBag()
	}
	m.bags.Trim()
}
