package drive

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// Guard is what is heard of the guard, which keeps the robot inside its field. Use it only from its node's executor.
type Guard struct {
	node     *ros.Node
	text     string    // what it says while it stops the robot, or ""
	at       int64     // when it said something last, node's time, ns; 0: there is none
	grace    ros.Grace // what is late in fast simulated time may still come
	helpless bool      // it does not let the robot drive before a person has looked at it
	needs    float64   // how far inside the outline a place must be for the guard to let the robot there and back, m
	always   float64   // the most that it was while fixes err by far more than usual, m
}

// guardSilence is the time without a word of the guard after which it is gone. It says something each second.
const guardSilence = 3 * time.Second

// ListenGuard listens for a guard.
func ListenGuard(node *ros.Node) (*Guard, error) {
	g := &Guard{node: node, grace: node.NewGrace(guardSilence)}
	_, err := ros.Subscribe(node, "guard/status", ros.Latched(), g.onStatus)
	return g, err
}

func (g *Guard) onStatus(m *diagnostic_msgs.DiagnosticStatus, _ ros.MessageInfo) {
	g.at = g.node.Now()
	g.grace.Came()
	value := func(key string) float64 { // NaN: the guard does not know it
		v, err := strconv.ParseFloat(watch.Value(*m, key), 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	if needs := value(convert.GuardNeeds); needs > g.needs || needs < 0.9*g.needs { // it varies from fix to fix
		g.needs = needs
	}
	if always := value(convert.GuardNeedsAlways); always > g.always { // a receiver that was worse once will be so again
		g.always = always
	}
	if g.text = ""; m.Level != diagnostic_msgs.DiagnosticStatusOK {
		g.text = "the guard " + m.Message
	}
	g.helpless = m.Level == diagnostic_msgs.DiagnosticStatusError
}

// Text returns what the guard says while it stops the robot, or "". Helpless reports whether it does not let the
// robot drive before a person has looked at it.
func (g *Guard) Text() (text string, helpless bool) {
	if g.Gone() != "" {
		return "", false
	}
	return g.text, g.helpless
}

// Needs returns how far inside the outline a place must be for the guard to let the robot there and back, m.
func (g *Guard) Needs() float64 { return g.needs }

// NeedsAlways returns the same while fixes err by far more than usual, m.
func (g *Guard) NeedsAlways() float64 { return max(g.needs, g.always) }

// ClockChanged is called after the clock was shifted by a number of ns.
func (g *Guard) ClockChanged(by int64) {
	if g.at != 0 {
		g.at += by
	}
}

// Gone says that a guard that was there is gone, or "".
func (g *Guard) Gone() string {
	age := time.Duration(g.node.Now() - g.at)
	if g.at == 0 || age <= guardSilence || g.grace.Lasts() {
		return ""
	}
	return fmt.Sprintf("the guard has been silent for %v, so that nothing keeps the robot inside its field: start the guard again", age.Round(time.Second))
}

// Missing says that velocities for a guard reach none, or "".
func (g *Guard) Missing() string {
	topic, err := g.node.Resolve("cmd_vel_in")
	if err != nil {
		return ""
	}
	sends, takes := ends(g.node, topic)
	if sends == "" || takes != "" {
		return ""
	}
	return sends + " sends velocities on " + topic + ", and no guard takes them: start the guard, or let velocities go to the robot"
}
