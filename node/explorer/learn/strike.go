package learn

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
)

// RefusesStrike says why a person cannot strike a sample of this robot, or restore it; "": that is possible.
func (l *Learner) RefusesStrike(sequence int, struck bool) string {
	all := l.book.Record().Observations
	for i := range all {
		if all[i].Sequence != sequence {
			continue
		}
		switch was := all[i].Struck != ""; {
		case struck && was:
			return fmt.Sprintf("sample %d is struck already", sequence)
		case !struck && !was:
			return fmt.Sprintf("sample %d counts already", sequence)
		}
		return ""
	}
	if len(all) == 0 {
		return "there is no sample yet"
	}
	return fmt.Sprintf("there is no sample %d: this robot has those from %d to %d", sequence, all[0].Sequence, all[len(all)-1].Sequence)
}

// Strike strikes a sample of this robot for a reason, or restores it without one, and returns what was done. It is on the disk
// before anyone hears of it.
func (l *Learner) Strike(sequence int, why record.Struck) (text string, err error) {
	o, err := l.book.Struck(sequence, why)
	if err != nil {
		return "", err
	}
	l.Optimizer.Strike(l.numbers[taken{"", sequence}], why != "")
	l.show.Observation(*o)
	text = "counts again"
	if why != "" {
		text = "is struck: maps, targets and the answer do without it"
	}
	return fmt.Sprintf("sample %d, %s at %s, %s", sequence, l.book.Record().Measured(o.Value, math.Sqrt(o.Variance)),
		show.Place(orb.Point{o.Belief.X, o.Belief.Y}), text), nil
}

// StrikeOfMate takes up that another robot has struck one of its samples, or restored it.
func (l *Learner) StrikeOfMate(robot string, sequence int, struck bool) {
	l.Optimizer.Strike(l.numbers[taken{robot, sequence}], struck)
	l.book.StruckByMate(robot, sequence, struck)
}
