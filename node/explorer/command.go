package explorer

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/explorer/logbook"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/planner/mission"
)

// command is what people may say to the explorer: as a word on ~/command, on the page, and
// unless it needs a place, as a service. It says whether it was done, and what the mission is
// doing now, or why it was not done.
type command struct {
	word string
	act  func(l *loop) (done bool, text string)
	part func(l *loop, percent float64) (done bool, text string) // not nil: the command may be followed by a number of percent
	at   func(l *loop, place orb.Point) (done bool, text string) // not nil: the command needs a place, m, and act is nil
	any  bool                                                    // modes that only suggest targets have it, too
}

// commands are all commands.
var commands = []command{
	{word: "start", act: start},
	{word: "pause", act: pause},
	{word: "resume", act: resume},
	{word: "stop", act: stop, any: true},
	{word: "home", act: home},
	{word: "more", act: func(l *loop) (bool, string) { return more(l, aQuarter) }, part: more},
	{word: "skip", act: skip},
	{word: "goto", at: goTo},
	{word: "save", act: saveNow, any: true},
}

// Services are the commands that need no place. Each is a service, too.
var Services = services()

func services() (list []string) {
	for _, c := range commands {
		if c.at == nil {
			list = append(list, c.word)
		}
	}
	return list
}

// Words lists the commands.
func Words() string {
	var list []string
	for _, c := range commands {
		if c.at != nil {
			c.word += " x y"
		}
		list = append(list, c.word)
	}
	return strings.Join(list, ", ")
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
	i := slices.IndexFunc(commands, func(c command) bool { return c.word == fields[0] })
	if i < 0 {
		return false, "", ErrWord
	}
	c, args, l := &commands[i], fields[1:], e.loop
	switch {
	case c.at == nil && len(args) == 0:
		if !c.any && l.mode.Suggests {
			return false, passive, nil
		}
		done, text = c.act(l)
		return done, text, nil
	case c.part != nil && len(args) == 1 && !l.mode.Suggests:
		percent, err := strconv.ParseFloat(args[0], 64)
		if err != nil {
			return false, c.word + " needs a number of percent, as in \"" + c.word + " 50\"", nil
		}
		done, text = c.part(l, percent)
		return done, text, nil
	case c.at == nil:
		return false, c.word + " takes no more words", nil
	}
	var at orb.Point
	ok := len(args) == len(at)
	for k := 0; ok && k < len(at); k++ {
		x, err := strconv.ParseFloat(args[k], 64)
		at[k], ok = x, err == nil && num.Finite(x)
	}
	if !ok {
		return false, c.word + " needs two numbers, x and y in metres, as in \"" + c.word + " 12.5 40\"", nil
	}
	if l.mode.Suggests {
		return false, passive, nil
	}
	done, text = c.at(l, at)
	return done, text, nil
}

// passive is the answer to a command that a mode which only suggests targets does not have.
const passive = "the explorer is passive: it moves no robot, and observes by itself"

// aQuarter is how much of its budget a mission gets more without a number, percent.
const aQuarter = 25

// say tells the mission an event of a person, and whether it is in one of the states that were wanted then.
func say(l *loop, word string, event mission.Event, wanted ...mission.State) (done bool, text string) {
	ended, before, byItself := l.pilot.Heading.Drive() != "", l.mission.State(), l.startup == mission.StartAtPose
	kept := word == "pause" && byItself
	if (ended || kept) && byItself { // nor does the mission begin by itself when the next pose comes
		l.startup = mission.StartByHand
	}
	l.pilot.Heading.End()
	l.tell(event)
	if now := l.mission.State(); now != before && (now == mission.StatePaused || before == mission.StatePaused) {
		l.logLine("told to %s: %s", word, l.text())
	}
	done, text = answer(l, wanted...)
	switch {
	case done:
	case ended:
		return true, "the drive for the heading has ended; " + text
	case kept:
		return true, "the mission does not start by itself any more, ~/start starts it; " + text
	}
	return done, text
}

func pause(l *loop) (done bool, text string) {
	return say(l, "pause", mission.EventPause{Stamp: l.now()}, mission.StatePaused)
}

func resume(l *loop) (done bool, text string) {
	done, text = say(l, "resume", mission.EventResume{Stamp: l.now()},
		mission.StatePlanning, mission.StateTravelling, mission.StateSampling, mission.StateReturning)
	if s := l.mission.Status(); s.State == mission.StateFault && s.FaultKind == mission.FaultNoPose {
		return true, "the mission continues with the next pose, unless ~/pause comes before; " + text
	}
	return done, text
}

func home(l *loop) (done bool, text string) {
	return say(l, "home", mission.EventHome{Stamp: l.now()}, mission.StateReturning, mission.StateDone)
}

func stop(l *loop) (done bool, text string) {
	if l.mode.Suggests {
		l.tell(mission.EventStop{Stamp: l.now(), Reason: "stopped"})
		return true, l.line()
	}
	return say(l, "stop", mission.EventStop{Stamp: l.now()}, mission.StateDone)
}

func start(l *loop) (done bool, text string) {
	heading := l.pilot.Heading
	if !l.sense.HasPose() && !heading.Lacks() {
		return false, "there is no pose yet: " + l.sense.WhyNoPose()
	}
	if !l.timeKnown() {
		return false, "there is no time yet: nothing has come on /clock"
	}
	if why := l.pilot.Driver.Missing(); why != "" {
		return false, why
	}
	if heading.Failed() && l.mission.State() == mission.StateFault { // try again
		l.tell(mission.EventResume{Stamp: l.now()})
	}
	if heading.Lacks() {
		return heading.Find(l.start)
	}
	if why := l.begin(); why != "" {
		return false, why
	}
	done, text = answer(l, mission.StatePlanning, mission.StateTravelling, mission.StateSampling)
	if s := l.mission.Status(); !done && (s.State == mission.StatePaused || s.State == mission.StateFault && s.FaultKind == mission.FaultReported) {
		text = "the mission has begun already, use ~/resume; " + text
	}
	return done, text
}

// offers returns the words of the commands without a place that do something now. A pause keeps a mission that begins by itself, or goes on by itself after a fault, from doing so.
func offers(l *loop) []string {
	state, s := l.state(), l.mission.Status()
	if l.mode.Suggests {
		if state != mission.StatePassive {
			return nil
		}
		return []string{"stop"}
	}
	byItself := state == mission.StateFault && s.FaultKind != mission.FaultReported
	var list []string
	offer := func(word string, possible bool) {
		if possible {
			list = append(list, word)
		}
	}
	offer("start", state == mission.StateIdle)
	offer("resume", state == mission.StatePaused || state == mission.StateFault && !byItself || l.mission.Recallable() && state == mission.StateReturning)
	offer("pause", state.Active() || state == stateHeading || byItself)
	offer("home", state == mission.StatePaused || state == mission.StateFault || state.Active() && state != mission.StateReturning)
	offer("skip", l.mission.RefusesSkip() == "")
	offer("more", (state == mission.StateReturning || state == mission.StateDone) && len(l.book.Record().Observations) > 0)
	offer("stop", state != mission.StateIdle && state != mission.StateDone)
	return list
}

// more goes on with a mission that is over or returns home, with so many percent of its budget more.
func more(l *loop, percent float64) (done bool, text string) {
	home, known := l.homeDistance()
	share, ended := percent/100, l.finished
	switch why := cmp.Or(l.mission.RefusesMore(share, home), l.pilot.Driver.Missing(), l.pilot.Driver.Stranded()); {
	case !known:
		return false, "there is no pose yet: " + l.sense.WhyNoPose()
	case why != "":
		return false, why
	case ended && (!l.over() || l.resumption.pending):
		return false, "the results are being written: say it again when they are there"
	case ended && len(l.book.Record().Observations) == 0:
		return false, "nothing was sampled: start the explorer again"
	}
	if why := l.cutOff(); why != "" {
		return false, why
	}
	if err := l.book.More(l.mission.WithMore(share)); err != nil {
		return false, err.Error()
	}
	l.finished = false
	l.tell(mission.EventMore{Stamp: l.now(), Share: share, HomeDistance: home})
	if ended {
		l.book.Journal.BeginBag()
	}
	l.logLine("told to go on with %g %% of the budget more: %s", percent, l.text())
	return answer(l, mission.StatePlanning, mission.StateTravelling)
}

// skip gives up the target as a person wants.
func skip(l *loop) (done bool, text string) {
	if why := l.mission.RefusesSkip(); why != "" {
		return false, why
	}
	target, before := l.mission.Status().Target, l.mission.State()
	l.tell(mission.EventSkip{Stamp: l.now()})
	if l.mission.State() == before { // otherwise tell has done it
		l.noteStatus()
	}
	return true, fmt.Sprintf("%s is skipped; %s", show.Place(target), l.line())
}

// goTo makes a person's place the next target, if it may be one: it is checked as those that
// the explorer chooses.
func goTo(l *loop, target orb.Point) (done bool, text string) {
	path, length, home, why := wayTo(l, target)
	if why != "" {
		return false, why
	}
	before := l.mission.State()
	l.pilot.Tell(path, mission.EventGoTo{Stamp: l.now(), Target: target, PathLength: length, HomeDistance: home})
	if s := l.mission.Status(); s.Target != target {
		return false, l.line()
	}
	l.wanted, l.held = false, nil
	if l.mission.State() == before { // otherwise tell has done it
		l.noteStatus()
	}
	l.logLine("target %d: %s, %s of path, given by a person", l.mission.Status().Samples+1, show.Place(target), show.Metres(length))
	if l.mission.State() == mission.StatePaused {
		return true, fmt.Sprintf("%s is the next target after ~/resume; %s", show.Place(target), l.line())
	}
	return true, l.line()
}

// wayTo returns the path to a person's place, its length and that of the way home from there, m, or why
// it cannot be the next target.
func wayTo(l *loop, target orb.Point) (path []orb.Point, length, home float64, why string) {
	if !l.sense.HasPose() {
		return nil, 0, 0, "there is no pose yet: " + l.sense.WhyNoPose()
	}
	if path, length, home, why = l.pilot.WayTo(target); why != "" {
		return nil, 0, 0, why
	}
	return path, length, home, l.mission.RefusesTarget(target, length, home)
}

// answer says whether the mission is in one of the states that were wanted.
func answer(l *loop, wanted ...mission.State) (bool, string) {
	return slices.Contains(wanted, l.mission.State()), l.line()
}

// saveNow writes the record of what is known now. Without a sample it writes nothing, as at the end:
// a record without a journal would keep an explorer from beginning a mission in this folder, and it
// would overwrite that of an earlier mission.
func saveNow(l *loop) (done bool, text string) {
	if l.cfg.OutputDir == "" {
		return false, "output_dir is empty: there is no folder to save to"
	}
	if len(l.book.Record().Observations) == 0 {
		return false, "there is no sample to save yet"
	}
	if err := logbook.WriteRecord(l.cfg.OutputDir, l.recorded()); err != nil {
		return false, err.Error()
	}
	return true, "saved in " + l.cfg.OutputDir
}
