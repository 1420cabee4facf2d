// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Fault is something that goes wrong.
type Fault struct {
	Number int    // in the schedule of its seed, from 1
	Kind   string // see kinds
	On     string // topic, process or word, as the kind needs
	At     float64
	For    float64 // s
	Size   float64 // as the kind needs
}

func (f Fault) String() string {
	text := fmt.Sprintf("%d: %s", f.Number, f.Kind)
	if f.On != "" {
		text += " " + f.On
	}
	text += fmt.Sprintf(" at %.1f s", f.At)
	if f.For > 0 {
		text += fmt.Sprintf(" for %.1f s", f.For)
	}
	if f.Size != 0 {
		text += fmt.Sprintf(" (%.3g)", f.Size)
	}
	return text
}

func (f Fault) end() float64 { return f.At + f.For }

// harm is what a fault disturbs. A check that relies on something makes no claim while that
// is disturbed, or allows for it.
type harm int

const (
	harmPose     harm = 1 << iota // poses say other things than the truth, or the robot was moved
	harmReading                   // readings do
	harmCommand                   // velocities do not reach the robot in time
	harmPlan                      // goals do not reach the follower in time
	harmTime                      // a clock is wrong
	harmMotion                    // the robot moves less than it is told, or later
	harmPerson                    // an operator changes what the mission does
	harmExplorer                  // the explorer is not there
	harmDisk                      // the journal cannot be written
	harmDriver                    // follower, filter or guard are not there
)

// kind is a kind of faults.
type kind struct {
	name   string
	weight int // of being drawn
	harm   func(*Fault) harm
	draw   func(*rand.Rand, *Trial, *Fault)
	// begin lets the fault begin, and returns what ends it; nil: nothing does.
	begin func(*world, *Fault, *rand.Rand) (end func())
}

// kindNames returns the names of all kinds of faults.
func kindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

func kinds() []kind { return slices.Concat(honestKinds(), lieKinds) }

// honestKinds returns the kinds with which sources are silent, wild or wrong, and do not lie as
// lieKinds do.
func honestKinds() []kind {
	return slices.Concat(messageKinds, sensorKinds, robotKinds, processKinds, diskKinds, personKinds, nav2Kinds)
}

func kindOf(name string) kind {
	list := kinds()
	return list[slices.IndexFunc(list, func(k kind) bool { return k.name == name })]
}

func (f *Fault) harm() harm { return kindOf(f.Kind).harm(f) }

func always(h harm) func(*Fault) harm { return func(*Fault) harm { return h } }

// lastFault is the time by which all faults have begun, s.
const lastFault = 70

// drawFaults draws the schedule. Every tenth trial has none, and in half of the others two
// faults begin together.
func (t *Trial) drawFaults(rng *rand.Rand) {
	n := 1 + rng.IntN(5)
	if rng.IntN(10) == 0 {
		n = 0
	}
	list := honestKinds()
	if !t.nav2 {
		list = slices.DeleteFunc(list, func(k kind) bool { return strings.HasPrefix(k.name, "nav2-") })
	}
	for i := range n {
		k := choose(rng, list)
		f := Fault{Kind: k.name, At: between(rng, 1, lastFault)}
		if i == 1 && rng.IntN(2) == 0 {
			f.At = t.Faults[0].At + between(rng, 0, 1)
		}
		k.draw(rng, t, &f)
		t.Faults = append(t.Faults, f)
	}
	slices.SortStableFunc(t.Faults, func(a, b Fault) int { return cmp.Compare(a.At, b.At) })
	for i := range t.Faults {
		t.Faults[i].Number = i + 1
	}
}

// choose draws a kind by the weights.
func choose(rng *rand.Rand, list []kind) kind {
	sum := 0
	for _, k := range list {
		sum += k.weight
	}
	at := rng.IntN(sum)
	for _, k := range list {
		if at -= k.weight; at < 0 {
			return k
		}
	}
	panic("faults: no kind has a weight")
}

func pick[T any](rng *rand.Rand, list ...T) T { return list[rng.IntN(len(list))] }
