package explorer

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/node/explorer/ground"
)

// cramped returns why a mission from where the robot is could not be finished if its position stayed as uncertain as it is: it
// would wait for a more certain one for ever. It is "" if there is room.
func (a *active) cramped() string {
	home := a.sense.Place()
	if len(a.cfg.Home) == 2 {
		home = orb.Point(a.cfg.Home)
	}
	stdDev := a.sense.StdDev()
	if tight, ok := a.ground.Tight(home, moreCertain*stdDev); ok && a.cfg.Field.Sigmas > 0 {
		return a.crampedText(&tight, stdDev)
	}
	return ""
}

func (a *active) crampedText(t *ground.Tight, stdDev float64) string {
	where, remedy := "the field is at most %.1f m wide between its edges and keep-outs, at %s", "use a better receiver, or set robot.radius if the robot is smaller"
	if t.OnWay {
		where, remedy = "the way from home into the field is only %.1f m wide at %s", "start in a wider part of the field, "+remedy
	}
	return fmt.Sprintf(where+", and %.1f m are needed: twice %.2g m for the robot and %.3g standard deviations of its position, each %.2g m; %s",
		math.Floor(20*t.Distance)/10, a.placeText(t.At), math.Ceil(20*(t.Body+t.Spread))/10, t.Body, moreCertain*a.cfg.Field.Sigmas, stdDev, remedy)
}

// roomy reports whether a mission that starts by itself may do so now. It waits while its position is too uncertain for the
// field, as the first position is, before there are more fixes.
func (a *active) roomy() bool {
	g, now := &a.edge, a.now()
	if g.cramped != "" && now < g.next {
		return false
	}
	before := g.cramped
	if g.cramped = a.cramped(); g.cramped == "" {
		return true
	}
	g.next = now + int64(askPath)
	if before == "" {
		g.since, g.stdDev = now, a.sense.StdDev()
		a.node.Logger().Warn("the mission waits for a more certain position: " + g.cramped)
	}
	return false
}

// Refusal returns why a mission that starts by itself does not, once its position does not become more certain by waiting;
// "" otherwise.
func (e *Explorer) Refusal() string {
	if m, ok := e.mode.(interface{ refusal() string }); ok {
		return m.refusal()
	}
	return ""
}

func (a *active) refusal() string {
	if g := &a.edge; a.awaited == theStart && g.cramped != "" && !g.helps(a.now(), a.sense.StdDev()) {
		return g.cramped
	}
	return ""
}
