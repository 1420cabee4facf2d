package show

import (
	"strconv"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/planner/mission"
)

// Keys of what the rest of the mission is expected to take, among the values of the mission on /diagnostics. They are missing while
// no budget ends it.
const (
	leftDistance = "path that is left, with the way home, m"
	leftTime     = "time that is left, with the way home, s"
	shareDone    = "share of the mission that is done"
)

// LastRound is the key of the time that the last round of learning and deciding took, among the
// values of the mission on /diagnostics.
const LastRound = "last round of learning and deciding, s"

// RestIn returns what the rest of the mission is expected to take by the explorer that has published the diagnostics; ok is false without it.
func RestIn(d *diagnostic_msgs.DiagnosticArray) (rest mission.Rest, ok bool) {
	for _, s := range d.Status {
		for _, v := range s.Values {
			at := map[string]*float64{leftDistance: &rest.Distance, leftTime: &rest.Duration, shareDone: &rest.Done}[v.Key]
			if at == nil {
				continue
			}
			var err error
			if *at, err = strconv.ParseFloat(v.Value, 64); err != nil {
				return mission.Rest{}, false
			}
			ok = true
		}
	}
	return rest, ok
}

// Diagnosed reports whether somebody listens for diagnostics. A bag may, which is no subscriber.
func (v *Show) Diagnosed() bool { return v.out.diagnostics.Matched() > 0 }

// Diagnostics publishes what is wrong, and counts, of a close-up.
func (v *Show) Diagnostics(s *Snapshot) {
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: v.node.Name() + ": mission",
		HardwareID: "none", Message: s.Text,
	}
	switch s.Mission.State {
	case mission.StateFault:
		d.Level = diagnostic_msgs.DiagnosticStatusError
	case mission.StatePaused:
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	case mission.StateTravelling, mission.StateReturning:
		if s.Mission.Waiting != "" {
			d.Level = diagnostic_msgs.DiagnosticStatusWarn
		}
	}
	for _, c := range s.Counts {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: c.Name, Value: strconv.FormatInt(c.N, 10)})
	}
	number := func(key string, v float64) {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: key, Value: strconv.FormatFloat(v, 'f', 3, 64)})
	}
	number(LastRound, s.Close.Took.Seconds())
	if rest := s.Close.Rest; rest != nil {
		number(leftDistance, rest.Distance)
		number(leftTime, rest.Duration)
		number(shareDone, rest.Done)
	}
	m := diagnostic_msgs.DiagnosticArray{Header: v.header(), Status: append([]diagnostic_msgs.DiagnosticStatus{d}, s.Close.Checked...)}
	v.warn.Unsent(v.out.diagnostics.Publish(&m))
}
