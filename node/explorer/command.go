// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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
	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

// command is a command of people to the explorer: a word on ~/command, on the page and, unless it needs a place or a sample, a service. The
// reply says whether it was done, and what the mission is doing now, or why it was refused. One of event, act, part, at and of is not nil.
type command struct {
	word   string
	event  func(now int64) mission.Event // event for the mission
	wanted []mission.State               // the mission is in one of these once the command is done
	drives func(l *loop) (why string)    // not nil: a person lets the robot continue, unless this returns a reason against it
	act    func(l *loop) (done bool, text string)
	part   func(l *loop, percent float64) (done bool, text string) // the command may be followed by a number of percent
	at     func(l *loop, place orb.Point) (done bool, text string) // the command needs a place, m
	of     func(l *loop, sample int) (done bool, text string)      // the command needs the number of a sample
	any    bool                                                    // modes that only suggest targets have it, too
}

// commands are all commands.
var commands = []command{
	{word: "start", act: start},
	{word: "pause", event: func(now int64) mission.Event { return mission.EventPause{Stamp: now} }, wanted: []mission.State{mission.StatePaused}},
	{
		word: "resume", drives: func(l *loop) string { return cmp.Or(l.Guard.Lacks(), l.Pilot.Rival()) },
		event:  func(now int64) mission.Event { return mission.EventResume{Stamp: now} },
		wanted: []mission.State{mission.StatePlanning, mission.StateTravelling, mission.StateSampling, mission.StateReturning},
	},
	{word: "stop", event: func(now int64) mission.Event { return mission.EventStop{Stamp: now, Reason: "stopped"} }, wanted: []mission.State{mission.StateDone}, any: true},
	{
		word: "home", drives: func(l *loop) string { return l.Guard.Lacks() },
		event:  func(now int64) mission.Event { return mission.EventHome{Stamp: now} },
		wanted: []mission.State{mission.StateReturning, mission.StateDone},
	},
	{word: "more", part: more},
	{word: "skip", act: skip},
	{word: "goto", at: goTo},
	{word: "strike", of: func(l *loop, n int) (bool, string) { return strike(l, n, record.StruckByPerson) }, any: true},
	{word: "restore", of: func(l *loop, n int) (bool, string) { return strike(l, n, "") }, any: true},
	{word: "save", act: saveNow, any: true},
}

// Services returns the commands that need neither a place nor a sample. Each is a service, too.
func Services() (list []string) {
	for _, c := range commands {
		if c.at == nil && c.of == nil {
			list = append(list, c.word)
		}
	}
	return list
}

// Words lists the commands.
func Words() string {
	var list []string
	for _, c := range commands {
		switch {
		case c.at != nil:
			c.word += " x y"
		case c.of != nil:
			c.word += " n"
		}
		list = append(list, c.word)
	}
	return strings.Join(list, ", ")
}

// ErrWord is returned for a word that is no command.
var ErrWord = errors.New("not a command")

// Knows reports whether a word is a command.
func Knows(word string) bool {
	return slices.ContainsFunc(commands, func(c command) bool { return c.word == word })
}

// Order carries out a command in words: its name and, if the command needs them, x and y of a place, m, or the number of a sample. done
// says whether it was carried out; text says what the mission is doing now, or why the command was refused. The error says that there is no
// such command.
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
	numbers, bad := make([]float64, len(args)), false
	for k, arg := range args {
		numbers[k], err = strconv.ParseFloat(arg, 64)
		bad = bad || err != nil || !num.Finite(numbers[k])
	}
	sample, none := strconv.Atoi(strings.Join(args, " "))
	switch n := len(args); {
	case c.of != nil && none != nil:
		text = c.word + " needs the number of a sample, as in \"" + c.word + " 7\""
	case c.at != nil && (bad || n != 2):
		text = c.word + " needs two numbers, x and y in metres, as in \"" + c.word + " 12.5 40\""
	case c.part != nil && bad && n == 1:
		text = c.word + " needs a number of percent, as in \"" + c.word + " 50\""
	case c.of == nil && c.at == nil && (n > 1 || n == 1 && c.part == nil):
		text = c.word + " takes no more words"
	case l.Mode.Suggests && !c.any:
		text = "the explorer is passive: it observes without commands and moves no robot"
	case c.event != nil:
		done, text = say(l, c)
	case c.of != nil:
		done, text = c.of(l, sample)
	case c.at != nil:
		done, text = c.at(l, orb.Point(numbers))
	case c.part != nil && n == 0:
		done, text = c.part(l, aQuarter)
	case c.part != nil:
		done, text = c.part(l, numbers[0])
	default:
		done, text = c.act(l)
	}
	return done, text, nil
}

// aQuarter is the increase of the budget by the command more without a number, percent.
const aQuarter = 25

// say passes a person's event to the mission.
func say(l *loop, c *command) (done bool, text string) {
	event := c.event(l.Now())
	if l.Mode.Suggests {
		l.tell(event)
		return answer(l, c.wanted...)
	}
	if c.drives != nil {
		if why := c.drives(l); why != "" {
			return false, why
		}
		l.Pilot.Vouched()
	}
	ended, before, byItself := l.Pilot.Heading.Drive() != "", l.Mission.State(), l.Startup == mission.StartAtPose
	kept := c.word == "pause" && byItself
	if (ended || kept) && byItself { // nor does the mission begin by itself when the next pose comes
		l.Startup = mission.StartByHand
	}
	l.Pilot.Heading.End()
	l.tell(event)
	if now := l.Mission.State(); now != before && (now == mission.StatePaused || before == mission.StatePaused) {
		l.Log("command %s: %s", c.word, l.view.Text())
	}
	done, text = answer(l, c.wanted...)
	switch {
	case done:
	case ended:
		done, text = true, "the drive for the heading has ended; "+text
	case kept:
		done, text = true, "the mission no longer starts by itself; "+text
	}
	if s := l.Mission.Status(); c.word == "resume" && s.State == mission.StateFault && s.FaultKind == mission.FaultNoPose {
		done, text = true, "the mission continues with the next pose, unless it is paused before; "+text
	}
	return done, text
}

func start(l *loop) (done bool, text string) {
	heading := l.Pilot.Heading
	if !l.Sense.HasPose() && !heading.Lacks() {
		return false, "there is no pose yet: " + l.Sense.WhyNoPose()
	}
	if !l.TimeKnown() {
		return false, "there is no time yet: nothing was received on /clock"
	}
	if why := cmp.Or(l.Pilot.Driver.Missing(), l.Pilot.Rival()); why != "" {
		return false, why
	}
	if heading.Failed() && l.Mission.State() == mission.StateFault { // try again
		l.tell(mission.EventResume{Stamp: l.Now()})
	}
	if heading.Lacks() {
		return heading.Find(l.start)
	}
	if why := l.begin(); why != "" {
		return false, why
	}
	done, text = answer(l, mission.StatePlanning, mission.StateTravelling, mission.StateSampling)
	if s := l.Mission.Status(); !done && (s.State == mission.StatePaused || s.State == mission.StateFault && s.FaultKind == mission.FaultReported) {
		text = "the mission has already begun; " + text
	}
	return done, text
}

// more continues a mission that is over or returns home, with its budget increased by a number of percent.
func more(l *loop, percent float64) (done bool, text string) {
	home, known := l.HomeDistance()
	share, ended := percent/100, l.Finished()
	switch why := cmp.Or(l.Mission.RefusesMore(share, home), l.Guard.Lacks(), l.Pilot.Driver.Missing(), l.Pilot.Rival(), l.Pilot.Driver.Stranded()); {
	case !known:
		return false, "there is no pose yet: " + l.Sense.WhyNoPose()
	case why != "":
		return false, why
	case ended && (!l.Over() || l.resuming):
		return false, "the results are being written: repeat the command when they are complete"
	case ended && len(l.Book.Record().Observations) == 0:
		return false, "nothing was sampled: start the explorer again"
	}
	if why := l.Pilot.CutOff(); why != "" {
		return false, why
	}
	if err := l.Book.More(l.Mission.WithMore(share)); err != nil {
		return false, err.Error()
	}
	l.tell(mission.EventMore{Stamp: l.Now(), Share: share, HomeDistance: home})
	if ended {
		l.Book.Journal.BeginBag()
	}
	l.Log("command to continue with %g %% more budget: %s", percent, l.view.Text())
	return answer(l, mission.StatePlanning, mission.StateTravelling)
}

// skip gives up the target at a person's request.
func skip(l *loop) (done bool, text string) {
	if why := l.Mission.RefusesSkip(); why != "" {
		return false, why
	}
	target, before := l.Mission.Status().Target, l.Mission.State()
	l.tell(mission.EventSkip{Stamp: l.Now()})
	if l.Mission.State() == before { // otherwise tell has done it
		l.noteStatus()
	}
	return true, fmt.Sprintf("%s is skipped; %s", show.Place(target), l.view.Line())
}

// goTo makes a place that a person has named the next target. The place is checked like a target that the explorer
// chooses.
func goTo(l *loop, target orb.Point) (done bool, text string) {
	length, home, why := l.view.WayTo(target)
	if why != "" {
		return false, why
	}
	before := l.Mission.State()
	l.tell(mission.EventGoTo{Stamp: l.Now(), Target: target, PathLength: length, HomeDistance: home})
	if s := l.Mission.Status(); s.Target != target {
		return false, l.view.Line()
	}
	l.Decider.Forget()
	if l.Mission.State() == before { // otherwise tell has done it
		l.noteStatus()
	}
	l.Log("target %d: %s, %s of path, given by a person", l.Mission.Status().Samples+1, show.Place(target), show.Metres(length))
	if l.Mission.State() == mission.StatePaused {
		return true, fmt.Sprintf("%s is the next target once the mission is resumed; %s", show.Place(target), l.view.Line())
	}
	return true, l.view.Line()
}

// strike strikes a sample for a reason, or restores it if the reason is empty. The results of a mission that is over are
// written again.
func strike(l *loop, sequence int, why record.Struck) (done bool, text string) {
	if refused := l.Learner.RefusesStrike(sequence, why != ""); refused != "" {
		return false, refused
	}
	if l.resuming || l.Finished() && !l.Over() {
		return false, "the results are being written: repeat the command when they are complete"
	}
	text, err := l.Decider.Strike(sequence, why)
	if err != nil {
		return false, err.Error()
	}
	l.Log("command of a person: %s", text)
	return true, text
}

// Strike strikes a sample for a reason from elsewhere, or restores it if the reason is empty, and returns what was done.
func (e *Explorer) Strike(sequence int, why record.Struck) (text string, err error) {
	return e.loop.Decider.Strike(sequence, why)
}

// answer reports whether the mission is in one of the wanted states, and its status.
func answer(l *loop, wanted ...mission.State) (bool, string) {
	return slices.Contains(wanted, l.Mission.State()), l.view.Line()
}

// saveNow writes the present record. Without a sample it writes nothing, as at the end: a record without a journal would prevent a new
// mission in this folder, and would overwrite the record of an earlier mission.
func saveNow(l *loop) (done bool, text string) {
	if l.Config.OutputDir == "" {
		return false, "output_dir is empty, so nothing can be saved: set it and start the explorer again"
	}
	if len(l.Book.Record().Observations) == 0 {
		return false, "there is no sample to save yet"
	}
	if err := logbook.WriteRecord(l.Config.OutputDir, l.view.Recorded()); err != nil {
		return false, err.Error()
	}
	return true, "saved in " + l.Config.OutputDir
}
