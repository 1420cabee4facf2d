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
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
)

// Values of the parameter existing_mission: what becomes of a mission in the folder.
const (
	ExistingResume  = "resume"
	ExistingRefuse  = "refuse"
	ExistingReplace = "replace"
)

// program names the writer of a record.
const program = "ugp_explorer"

// book keeps the mission: its record in memory, and its journal and bags in the mission's
// folder. Nothing else writes there while the mission is under way. Without a folder it
// has no journal.
type book struct {
	node *ros.Node
	cfg  *Config

	record       record.Mission
	settings     record.Settings
	tracks       record.Tracks
	trackStdDev  []float64        // standard deviation of the position at each point of the estimated path, m
	spacing      float64          // least distance between two points of a track, m
	countsBefore map[string]int64 // of the runs before this one, by name
	startWall    time.Time
	saved        bool  // the record on disk is the newest
	told         bool  // the log has what the mission has found
	err          error // why the record could not be written

	journal  *journal.Journal // nil: none is kept
	begun    bool
	useless  bool           // the folder has a journal that cannot be used, which this mission replaces when it begins
	stuck    bool           // the mission was told that the journal cannot be written
	progress mission.Status // as last written
	tracked  int            // points of the track that are written
	bags     *recorder.Folder

	status func() mission.Status
	counts func() map[string]int64
	broken func(reason string) // the journal cannot be written
	mended func()              // it can again
}

func newBook(node *ros.Node, cfg *Config, ground *ground.Ground, spacing float64) (*book, error) {
	budget := cfg.mission().Budget
	if cfg.Passive {
		budget = mission.Budget{}
	}
	b := &book{
		node: node, cfg: cfg, spacing: spacing, settings: record.Settings{}, startWall: cfg.Wall(),
		record: record.Mission{
			Version: record.Version, Program: program,
			Method: cfg.Method, Seed: uint64(cfg.Seed), Passive: cfg.Passive, Frame: cfg.Frame,
			Objective: record.Objective(cfg.Objective), Quantity: cfg.Quantity, Units: cfg.Units, Transform: record.Transform(cfg.Reading.Transform),
			Budget: record.Budget{Samples: budget.Samples, Distance: budget.Distance, Time: budget.Duration},
			Field:  convert.FieldRecord(ground.Outline(), cfg.Field.Name, ground.Region().Margin()),
		},
	}
	if cfg.Objective == planner.ObjectiveThreshold {
		b.record.Threshold = &cfg.Threshold
	}
	var err error
	recorded := cfg.Record
	if cfg.OutputDir == "" || cfg.Alone {
		recorded.Topics = recorder.None
	}
	b.bags, err = recorder.NewFolder(node, cfg.OutputDir, "~/command", recorded)
	return b, err
}

// open opens the journal in the mission's folder. It returns the mission there that is to
// be taken up, nil for none, or refuses to take it up.
func (b *book) open() (*journal.State, error) {
	dir := b.cfg.OutputDir
	if dir == "" || b.cfg.Alone && b.cfg.Passive { // a replay can be had again
		return nil, nil
	}
	j, found, err := journal.OpenOn(b.cfg.Disk, dir)
	if b.cfg.Existing == ExistingReplace && errors.Is(err, journal.ErrUnreadable) {
		b.useless = true
		b.bags.Replace(b.bags.Names()) // it cannot tell which are its own
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("explorer: output_dir: %w", err)
	}
	b.journal = j
	goesOn, err := b.goesOn(found)
	if err != nil {
		return nil, errors.Join(err, b.abandon())
	}
	if !goesOn {
		return nil, nil
	}
	return found, nil
}

// abandon closes the journal of a mission that does not begin.
func (b *book) abandon() error {
	if b.journal == nil {
		return nil
	}
	err := b.journal.Close()
	b.journal = nil
	return err
}

// goesOn reports whether the mission that was found in the folder is taken up. The error
// says why there can be no mission in that folder.
func (b *book) goesOn(found *journal.State) (bool, error) {
	dir, again := b.cfg.OutputDir, "give another output_dir, or set existing_mission to replace to begin anew and lose it"
	_, err := os.Stat(filepath.Join(dir, record.MissionFile))
	recorded := err == nil
	switch {
	case b.cfg.Existing == ExistingReplace && found != nil:
		b.bags.Replace(found.Bags)
		return false, nil
	case b.cfg.Existing == ExistingReplace:
		if recorded { // by a mission without a journal
			b.bags.Replace(b.bags.Names())
		}
		return false, nil
	case found == nil, found.Started == nil, found.Saved && len(found.Observations) == 0:
		if recorded {
			return false, fmt.Errorf("explorer: output_dir %s has the %s of a mission that cannot be taken up, as it has no journal: %s", dir, record.MissionFile, again)
		}
		return false, nil
	case found.Saved:
		return false, fmt.Errorf("explorer: output_dir %s has a mission that is over (%s): %s", dir, found.Mission.Ending, again)
	case b.cfg.Existing == ExistingRefuse:
		return false, fmt.Errorf("explorer: output_dir %s has a mission that is not over, with %d samples, and existing_mission is %s: "+
			"set it to resume to go on with that, or %s", dir, len(found.Observations), ExistingRefuse, again)
	}
	return true, nil
}

// beginning is what the journal says of the mission first.
func (b *book) beginning() journal.Begin {
	cfg := b.cfg
	return journal.Begin{
		Version: journal.Version, Program: program, Passive: cfg.Passive, Frame: cfg.Frame, Quantity: cfg.Quantity, Units: cfg.Units,
		Transform: record.Transform(cfg.Reading.Transform), Reading: cfg.Reading.Type, Field: b.record.Field, Earlier: b.record.Earlier,
	}
}

func (b *book) thisRun() journal.Run {
	return journal.Run{Stamp: b.node.Now(), Wall: b.cfg.Wall().UnixNano(), Settings: b.settings}
}

// started notes when the mission has started.
func (b *book) started(now int64) {
	b.startWall, b.record.Started = b.cfg.Wall(), stampSeconds(now)
}

// begin starts the journal with the mission, homeDistance metres from home. It deletes the
// bags of an earlier mission in the folder, which existing_mission allows.
func (b *book) begin(homeDistance float64) (err error) {
	if b.useless {
		if err := b.cfg.Disk.Remove(filepath.Join(b.cfg.OutputDir, journal.FileName)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if b.journal, _, err = journal.OpenOn(b.cfg.Disk, b.cfg.OutputDir); err != nil {
			return err
		}
		b.useless = false
	}
	if b.journal == nil || b.begun {
		return nil
	}
	start := journal.Start{Stamp: b.node.Now(), Wall: b.startWall.UnixNano(), HomeDistance: homeDistance}
	if b.record.Home != nil {
		start.Home = *b.record.Home
	}
	if err := b.journal.Start(b.beginning(), b.thisRun(), start); err != nil {
		return err
	}
	b.begun = true
	b.bags.RemoveReplaced()
	b.beginBag()
	return nil
}

// restored goes on with the journal of a mission that stands at s.
func (b *book) restored(s mission.Status) {
	b.begun, b.progress, b.tracked = true, s, len(b.tracks.Estimated)
}

// goOn notes that a mission that was taken up goes on.
func (b *book) goOn(over bool) {
	b.record.Resumed = append(b.record.Resumed, stampSeconds(b.node.Now()))
	b.progress = b.status()
	b.note(b.thisRun())
	if !over {
		b.beginBag()
	}
}

// failed handles the result of writing to the journal. While the journal cannot be
// written, the robot stands, or returns home if it is told to.
func (b *book) failed(err error) {
	if err == nil {
		return
	}
	if !b.stuck {
		b.stuck = true
		b.node.Logger().Error("the journal cannot be written: nothing that is sampled would be safe", "folder", b.cfg.OutputDir, "error", err.Error())
	}
	b.broken("the journal cannot be written: " + err.Error())
}

// note adds an entry to the journal.
func (b *book) note(entry any) {
	if b.begun {
		b.failed(b.journal.Append(entry))
	}
}

// noteStatus adds the mission's state. A state in which the robot stays where it is goes to
// the disk at once: without it the robot might drive off when the power returns.
func (b *book) noteStatus() {
	if !b.begun {
		return
	}
	b.noteProgress()
	if b.cfg.Passive { // its state does not change
		return
	}
	s := journal.Status{Mission: b.status(), Counts: b.counts()}
	b.progress = s.Mission
	switch s.Mission.State {
	case mission.StatePaused, mission.StateFault, mission.StateDone:
		if !b.stuck {
			b.failed(b.journal.Commit(s))
			return
		}
	}
	b.note(s)
}

// noteProgress adds what was driven since the last entry.
func (b *book) noteProgress() {
	s := b.status()
	if !b.begun || b.stuck || s.State == mission.StateDone || s.UsedDistance == b.progress.UsedDistance {
		return
	}
	track, stdDev := b.tracks.Estimated[b.tracked:], b.trackStdDev[b.tracked:]
	b.progress, b.tracked = s, len(b.tracks.Estimated)
	b.note(journal.Progress{Stamp: s.Stamp, Elapsed: s.Elapsed, Driving: s.Driving, Distance: s.UsedDistance, HomeDistance: s.HomeDistance, Track: track, StdDev: stdDev})
}

// watch tries to write a journal that could not be written, and tells the mission when it
// succeeds.
func (b *book) watch() {
	switch {
	case b.journal == nil:
		return
	case !b.stuck:
		b.noteProgress()
		b.failed(b.journal.Err())
		return
	case b.journal.Retry() != nil:
		return
	}
	b.stuck = false
	b.node.Logger().Info("the journal can be written again", "folder", b.cfg.OutputDir)
	b.noteStatus()
	if !b.stuck {
		b.mended()
	}
}

// observed adds an observation. It is on the disk before it is published.
func (b *book) observed(o record.Observation) error {
	if b.begun {
		if err := b.journal.Commit(o); err != nil {
			b.failed(err)
			return err
		}
	}
	b.record.Observations = append(b.record.Observations, o)
	b.saved = false
	return nil
}

// taught adds an observation of a team mate. It is not in the journal: the mate has it in
// its own, and publishes it again when either explorer restarts.
func (b *book) taught(robot string, o record.Observation) {
	b.record.Team = append(b.record.Team, record.TeamSample{Robot: robot, Observation: o})
	b.saved = false
}

// sequence returns the number of the last observation.
func (b *book) sequence() int {
	n := len(b.record.Observations)
	if n == 0 {
		return 0
	}
	return b.record.Observations[n-1].Sequence
}

// learnt adds what was learnt from the own samples so far. It replaces an entry for the same
// number of own samples, which knew fewer samples of team mates. hyper is nil if it has not
// changed.
func (b *book) learnt(at record.RecommendedAt, hyper *record.HyperAt) {
	if hyper != nil {
		b.record.Hyper = latest(b.record.Hyper, *hyper, func(h record.HyperAt) int { return h.Samples })
	}
	b.record.Recommended = latest(b.record.Recommended, at, func(r record.RecommendedAt) int { return r.Samples })
	b.note(journal.Learnt{Recommended: at, Hyper: hyper})
	b.recommend(at)
}

// recommend names a place as the best, or none.
func (b *book) recommend(at record.RecommendedAt) {
	if at.Target == nil {
		b.record.Recommendation = nil
		return
	}
	b.record.Recommendation = b.record.NewRecommendation(*at.Target, at.Mean, at.StdDev, at.Samples)
	b.record.Recommendation.AfterTeam = at.Team
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
func (b *book) decided(number int, choice *record.Decision) {
	if choice != nil {
		b.record.Decisions = append(b.record.Decisions, *choice)
	}
	b.note(journal.Decision{Number: number, Choice: choice})
}

// skipped adds a target that was given up.
func (b *book) skipped(s journal.Skipped) {
	b.record.Skipped = append(b.record.Skipped, record.Skipped{Target: s.Target, Reason: s.Reason, Stamp: stampSeconds(s.Stamp)})
	b.note(s)
}

// track adds a place, known to a standard deviation, m, to the estimated path.
func (b *book) track(at record.Place, stdDev float64) {
	b.tracks.Estimated = appendApart(b.tracks.Estimated, at, b.spacing)
	if len(b.tracks.Estimated) > len(b.trackStdDev) {
		b.trackStdDev = append(b.trackStdDev, math.Round(1000*stdDev)/1000)
	}
}

// noteSaved notes that the mission is over and written, and ends the journal.
func (b *book) noteSaved() {
	b.note(journal.Saved{Stamp: b.node.Now()})
	if !b.stuck {
		b.close(true)
	}
}

// close completes and closes the journal and the bag. Without a sample the journal is
// deleted if the mission cannot be resumed. The journal of an earlier mission stays if this
// one has not begun.
func (b *book) close(over bool) {
	if b.journal == nil {
		return
	}
	if b.begun && !over {
		b.noteStatus()
	}
	end := b.journal.Close
	switch {
	case !b.begun:
		b.node.Logger().Info("the mission has not begun, and nothing of it is kept", "folder", b.cfg.OutputDir)
	case len(b.record.Observations) == 0 && (over || b.cfg.Existing == ExistingReplace):
		b.node.Logger().Info("no sample was taken: the journal is removed, and its folder if nothing else is in it", "folder", b.cfg.OutputDir)
		end = b.journal.Discard
	}
	b.bags.End()
	err := end()
	b.begun, b.journal = false, nil
	if err != nil {
		b.err = errors.Join(b.err, err)
		b.node.Logger().Error("the journal was not written to its end", "error", err.Error())
	}
}

// notWritten completes the error of a record that could not be written, nil for none: it says
// whether the journal on the disk has the samples.
func (b *book) notWritten(err error) error {
	if err == nil {
		return nil
	}
	n := len(b.record.Observations)
	if found, failed := journal.Read(b.cfg.OutputDir); failed != nil || len(found.Observations) < n {
		return fmt.Errorf("the samples are not saved: %w", err)
	}
	return fmt.Errorf("the results are not written, but all samples (%d) are saved in %s, from which the explorer writes them when it is started again with this output_dir: %w",
		n, filepath.Join(b.cfg.OutputDir, journal.FileName), err)
}

// beginBag starts the next bag of the mission and ends the one before.
func (b *book) beginBag() {
	if !b.bags.On() || !b.begun {
		return
	}
	name := b.bags.Next()
	b.note(journal.Bag{Stamp: b.node.Now(), Name: name})
	b.bags.Begin(name)
}

// watchBags keeps the bags within their limit.
func (b *book) watchBags() {
	b.bags.Watch()
	if !b.begun {
		return
	}
	if b.bags.Full() {
		b.beginBag()
	}
	b.bags.Trim()
}

const (
	// large is the share of the largest record that can be read from which on the mission should end.
	large = 0.8
	// small is a number of entries that are never so large together, so that they need not be measured.
	small = 10_000
)

// nearlyTooLarge says that mission.json will be too large to be read, or nearly so, to 5 %.
func (b *book) nearlyTooLarge() string {
	r := &b.record
	if len(r.Observations)+len(r.Team)+len(r.Skipped)+len(r.Decisions)+len(r.Suggestions) < small {
		return ""
	}
	size, err := r.Size()
	share := float64(size) / record.MostFile
	if err != nil || share < large { // an error will be said when the record is written
		return ""
	}
	amount := "larger than"
	if share < 1 {
		amount = fmt.Sprintf("at least %.0f %% of", 100*math.Floor(20*share)/20)
	}
	return fmt.Sprintf("mission.json will be %s the %d MiB that ugp export can read: end this mission with home or stop, and begin another one in a new output_dir", amount, record.MostFile>>20)
}

// appendApart appends a place that is at least spacing metres from the last.
func appendApart(track []record.Place, p record.Place, spacing float64) []record.Place {
	if n := len(track); n > 0 {
		dx, dy := p[0]-track[n-1][0], p[1]-track[n-1][1]
		if dx*dx+dy*dy < spacing*spacing {
			return track
		}
	}
	return append(track, p)
}
