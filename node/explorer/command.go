package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

// command is what people may say to the explorer: as a word on ~/command, on the page, and
// unless it needs a place, as a service. It says whether it was done, and what the mission is
// doing now, or why it was not done.
type command struct {
	word string
	act  func() (done bool, text string)
	part func(percent float64) (done bool, text string) // not nil: the command may be followed by a number of percent
	at   func(place orb.Point) (done bool, text string) // not nil: the command needs a place, m, and act is nil
	asks func(place orb.Point) (why string)             // why at would refuse the place now, ""
}

// ErrWord is returned for a word that is no command.
var ErrWord = errors.New("not a command")

// Order carries out a command in words: its name, and for one that needs a place x and y, m. It
// says whether it was done, and what the mission is doing now, or why it was not done. The error
// says that there is no such command.
func (e *Explorer) Order(words string) (done bool, text string, err error) {
	fields := strings.Fields(words)
	if len(fields) == 0 {
		return false, "", ErrWord
	}
	i := slices.IndexFunc(e.commands, func(c command) bool { return c.word == fields[0] })
	if i < 0 {
		return false, "", ErrWord
	}
	c, args := &e.commands[i], fields[1:]
	switch {
	case c.at == nil && len(args) == 0:
		done, text = c.act()
		return done, text, nil
	case c.part != nil && len(args) == 1:
		percent, err := strconv.ParseFloat(args[0], 64)
		if err != nil {
			return false, c.word + " needs a number of percent, as in \"" + c.word + " 50\"", nil
		}
		done, text = c.part(percent)
		return done, text, nil
	case c.at == nil:
		return false, c.word + " takes no more words", nil
	}
	var at orb.Point
	ok := len(args) == len(at)
	for k := 0; ok && k < len(at); k++ {
		x, err := strconv.ParseFloat(args[k], 64)
		at[k], ok = x, err == nil && convert.Finite(x)
	}
	if !ok {
		return false, c.word + " needs two numbers, x and y in metres, as in \"" + c.word + " 12.5 40\"", nil
	}
	done, text = c.at(at)
	return done, text, nil
}

// Services are the commands that need no place. Each is a service, too.
var Services = []string{"start", "pause", "resume", "stop", "home", "more", "skip", "save"}

// aQuarter is how much of its budget a mission gets more without a number, percent.
const aQuarter = 25

// Words lists the commands.
func Words() string {
	last := len(Services) - 1
	return strings.Join(Services[:last], ", ") + ", goto x y, " + Services[last]
}

func (a *active) commands() []command {
	say := func(word string, event func(now int64) mission.Event, wanted ...mission.State) command {
		return command{word: word, act: func() (bool, string) {
			ended, before := a.heading.Drive() != "", a.state()
			kept := word == "pause" && a.awaited == theStart
			if (ended || kept) && a.awaited == theStart { // nor does the mission begin by itself when the next pose comes
				a.awaited = nothing
			}
			a.heading.End()
			a.tell(event(a.now()))
			if now := a.state(); now != before && (now == mission.StatePaused || before == mission.StatePaused) {
				a.logLine("told to %s: %s", word, a.text())
			}
			done, text := a.answer(wanted...)
			switch {
			case done:
			case ended:
				return true, "the drive for the heading has ended; " + text
			case kept:
				return true, "the mission does not start by itself any more, ~/start starts it; " + text
			}
			return done, text
		}}
	}
	resume := say("resume", func(now int64) mission.Event { return mission.EventResume{Stamp: now} },
		mission.StatePlanning, mission.StateTravelling, mission.StateSampling, mission.StateReturning)
	return []command{
		{word: "start", act: func() (bool, string) {
			if !a.sense.HasPose() && !a.heading.Lacks() {
				return false, "there is no pose yet: " + a.sense.WhyNoPose()
			}
			if !a.timeKnown() {
				return false, "there is no time yet: nothing has come on /clock"
			}
			if why := a.driver.Missing(); why != "" {
				return false, why
			}
			if a.heading.Failed() && a.state() == mission.StateFault { // try again
				a.tell(mission.EventResume{Stamp: a.now()})
			}
			if a.heading.Lacks() {
				return a.heading.Find(a.start)
			}
			if why := a.begin(); why != "" {
				return false, why
			}
			done, text := a.answer(mission.StatePlanning, mission.StateTravelling, mission.StateSampling)
			if s := a.state(); !done && (s == mission.StatePaused || s == mission.StateFault && a.mission.Status().FaultKind == mission.FaultReported) {
				text = "the mission has begun already, use ~/resume; " + text
			}
			return done, text
		}},
		say("pause", func(now int64) mission.Event { return mission.EventPause{Stamp: now} }, mission.StatePaused),
		{word: "resume", act: func() (bool, string) {
			done, text := resume.act()
			if s := a.mission.Status(); s.State == mission.StateFault && s.FaultKind == mission.FaultNoPose {
				return true, "the mission goes on with the next pose, unless ~/pause comes before; " + text
			}
			return done, text
		}},
		say("stop", func(now int64) mission.Event { return mission.EventStop{Stamp: now} }, mission.StateDone),
		say("home", func(now int64) mission.Event { return mission.EventHome{Stamp: now} }, mission.StateReturning, mission.StateDone),
		{word: "more", act: func() (bool, string) { return a.more(aQuarter) }, part: a.more},
		{word: "skip", act: a.skipByHand},
		{word: "goto", at: a.goTo, asks: func(target orb.Point) (why string) {
			_, _, _, why = a.wayTo(target)
			return why
		}},
	}
}

// offers implements mode. A pause keeps a mission that begins by itself, or goes on by itself after a fault, from doing so.
func (a *active) offers() []string {
	state, s := a.publicState(), a.mission.Status()
	byItself := state == mission.StateFault && s.FaultKind != mission.FaultReported
	var list []string
	offer := func(word string, possible bool) {
		if possible {
			list = append(list, word)
		}
	}
	offer("start", state == mission.StateIdle)
	offer("resume", state == mission.StatePaused || state == mission.StateFault && !byItself || a.mission.Recallable() && state == mission.StateReturning)
	offer("pause", state.Active() || state == stateHeading || byItself)
	offer("home", state == mission.StatePaused || state == mission.StateFault || state.Active() && state != mission.StateReturning)
	offer("skip", a.mission.RefusesSkip() == "")
	offer("more", (state == mission.StateReturning || state == mission.StateDone) && len(a.book.Record().Observations) > 0)
	offer("stop", state != mission.StateIdle && state != mission.StateDone)
	return list
}

// more goes on with a mission that is over or returns home, with so many percent of its budget more.
func (a *active) more(percent float64) (done bool, text string) {
	home, known := a.HomeDistance()
	share, ended := percent/100, a.finished
	switch why := cmp.Or(a.mission.RefusesMore(share, home), a.driver.Missing(), a.driver.Stranded()); {
	case !known:
		return false, "there is no pose yet: " + a.sense.WhyNoPose()
	case why != "":
		return false, why
	case ended && (!a.Finished() || a.resumption.pending):
		return false, "the results are being written: say it again when they are there"
	case ended && len(a.book.Record().Observations) == 0:
		return false, "nothing was sampled: start the explorer again"
	}
	if _, err := a.ground.PathHome(a.sense.Place()); err != nil && !a.ground.AtHome(a.sense.Pose()) {
		return false, "the robot could not return home: " + err.Error()
	}
	if err := a.book.More(a.mission.WithMore(share)); err != nil {
		return false, err.Error()
	}
	a.finished = false
	a.tell(mission.EventMore{Stamp: a.now(), Share: share, HomeDistance: home})
	if ended {
		a.book.Journal.BeginBag()
	}
	a.logLine("told to go on with %g %% of the budget more: %s", percent, a.text())
	return a.answer(mission.StatePlanning, mission.StateTravelling)
}

// skipByHand gives up the target as a person wants.
func (a *active) skipByHand() (done bool, text string) {
	if why := a.mission.RefusesSkip(); why != "" {
		return false, why
	}
	target, before := a.mission.Status().Target, a.state()
	a.tell(mission.EventSkip{Stamp: a.now()})
	if a.state() == before { // otherwise tell has done it
		a.noteStatus()
	}
	return true, fmt.Sprintf("%s is skipped; %s", show.Place(target), a.Status())
}

// goTo makes a person's place the next target, if it may be one: it is checked as those that
// the explorer chooses.
func (a *active) goTo(target orb.Point) (done bool, text string) {
	path, length, home, why := a.wayTo(target)
	if why != "" {
		return false, why
	}
	before := a.state()
	a.tellOf(path, mission.EventGoTo{Stamp: a.now(), Target: target, PathLength: length, HomeDistance: home})
	if s := a.mission.Status(); s.Target != target {
		return false, a.Status()
	}
	a.wanted, a.held = false, nil
	if a.state() == before { // otherwise tell has done it
		a.noteStatus()
	}
	a.logLine("target %d: %s, %s of path, given by a person", a.mission.Status().Samples+1, show.Place(target), show.Metres(length))
	if a.state() == mission.StatePaused {
		return true, fmt.Sprintf("%s is the next target after ~/resume; %s", show.Place(target), a.Status())
	}
	return true, a.Status()
}

// wayTo returns the path to a person's place, its length and that of the way home from there, m, or why
// it cannot be the next target.
func (a *active) wayTo(target orb.Point) (path []orb.Point, length, home float64, why string) {
	if !a.sense.HasPose() {
		return nil, 0, 0, "there is no pose yet: " + a.sense.WhyNoPose()
	}
	from, region := a.sense.Place(), a.ground.Region()
	if !region.Contains(target[:]) {
		for i, k := range a.ground.Outline().KeepOuts {
			if planar.PolygonContains(k, target) {
				return nil, 0, 0, fmt.Sprintf("%s is in keep-out %d of %d", show.Place(target), i+1, len(a.ground.Outline().KeepOuts))
			}
		}
		free := region.SignedDistance(target)
		if free < 0 {
			return nil, 0, 0, fmt.Sprintf("%s is outside the field, by %s", show.Place(target), show.Metres(-free))
		}
		return nil, 0, 0, fmt.Sprintf("%s is %s from the edge of the field or of a keep-out, and field.margin is %s", show.Place(target), show.Metres(free), show.Metres(region.Margin()))
	}
	path, err := a.ground.PathTo(from, target)
	if err != nil {
		return nil, 0, 0, "there is no path: " + err.Error()
	}
	length = planar.Length(orb.LineString(append([]orb.Point{from}, path...)))
	home = a.ground.PathLengthHome(target)
	return path, length, home, a.mission.RefusesTarget(target, length, home)
}

// answer says whether the mission is in one of the states that were wanted.
func (a *active) answer(wanted ...mission.State) (bool, string) {
	return slices.Contains(wanted, a.state()), a.Status()
}

// saveNow writes the record of what is known now. Without a sample it writes nothing, as at the end:
// a record without a journal would keep an explorer from beginning a mission in this folder, and it
// would overwrite that of an earlier mission.
func (e *Explorer) saveNow() (done bool, text string) {
	if e.cfg.OutputDir == "" {
		return false, "output_dir is empty: there is no folder to save to"
	}
	if len(e.book.Record().Observations) == 0 {
		return false, "there is no sample to save yet"
	}
	if err := logbook.WriteRecord(e.cfg.OutputDir, e.Record()); err != nil {
		return false, err.Error()
	}
	return true, "saved in " + e.cfg.OutputDir
}

// Refuses implements web.Explorer.
func (e *Explorer) Refuses(at record.Place) (why string, inside bool) {
	why = "the explorer does not drive the robot"
	for _, c := range e.commands {
		if c.asks != nil {
			why = c.asks(orb.Point(at))
		}
	}
	return why, e.ground.Region().SignedDistance(orb.Point(at)) >= 0
}
