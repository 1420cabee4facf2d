// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math/rand/v2"

	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
)

// nav2Name is the name of the node that is Nav2 here.
const nav2Name = "bt_navigator"

// victim draws a process that can be killed.
func victim(rng *rand.Rand, t *Trial) string {
	list := []string{ekf.DefaultName, follower.DefaultName, explorer.DefaultName, explorer.DefaultName, explorer.DefaultName}
	if t.watchdog { // so that the schedule of a seed is the same with a guard
		list = append(list, guard.DefaultName)
	}
	if t.nav2 {
		list = append(list, nav2Name, nav2Name)
	}
	return pick(rng, list...)
}

func processHarm(f *Fault) harm {
	switch f.On {
	case explorer.DefaultName:
		return harmExplorer | harmMotion
	case follower.DefaultName, guard.DefaultName:
		return harmDriver | harmCommand | harmMotion
	}
	return harmDriver | harmMotion
}

func timeHarm(*Fault) harm { return harmTime | harmMotion }

// clocks draws whose clock is wrong: the robot's computer, the explorer's if it has one of
// its own, or all.
func clocks(rng *rand.Rand, t *Trial) string {
	if t.laptop {
		return pick(rng, "robot", "laptop")
	}
	return "robot"
}

// processKinds are faults of processes and their clocks.
var processKinds = []kind{
	{
		name: "kill", weight: 10, harm: processHarm,
		draw: func(rng *rand.Rand, t *Trial, f *Fault) {
			f.On, f.For = victim(rng, t), pick(rng, between(rng, 0, 1), between(rng, 1, 30))
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			p := w.processes[f.On]
			if p == nil || p.dead {
				return nil
			}
			w.kill(f.On)
			return func() { w.restart(f.On) }
		},
	},
	{
		name: "kill-at-write", weight: 8, harm: always(harmExplorer | harmMotion),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			if f.For, f.Size = between(rng, 0, 20), float64(1+rng.IntN(30)); rng.IntN(3) > 0 { // most writes are of the way, and the others matter more
				f.On, f.Size = "sampling", float64(1+rng.IntN(14))
			}
		},
		begin: func(w *world, f *Fault, rng *rand.Rand) func() {
			d := w.disk
			if d.left > 0 {
				return nil
			}
			powerFails, part := rng.IntN(2) == 0, rng.Float64()
			arm := func() { d.left = int(f.Size) }
			if f.On == "" {
				arm()
			} else {
				w.watcher.waiting[f.On] = arm
			}
			d.when = pick(rng, before, within, after)
			d.crash = func() {
				w.kill(explorer.DefaultName)
				if powerFails {
					d.powerFails(part)
				}
				w.after(f.For, func() { w.restart(explorer.DefaultName) })
			}
			return nil
		},
	},
	{
		name: "power-fails", weight: 4, harm: always(harmExplorer | harmMotion),
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) { f.For, f.Size = between(rng, 1, 20), rng.Float64() },
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			p := w.processes[explorer.DefaultName]
			if p == nil || p.dead {
				return nil
			}
			w.kill(explorer.DefaultName)
			w.disk.powerFails(f.Size)
			return func() { w.restart(explorer.DefaultName) }
		},
	},
	{
		name: "freeze", weight: 6, harm: processHarm,
		draw: func(rng *rand.Rand, t *Trial, f *Fault) { f.On, f.For = victim(rng, t), between(rng, 0.3, 15) },
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			p := w.processes[f.On]
			if p == nil || p.dead || p.frozen {
				return nil
			}
			p.freeze()
			return p.thaw
		},
	},
	{
		name: "clock-step", weight: 4, harm: timeHarm,
		draw: func(rng *rand.Rand, t *Trial, f *Fault) {
			f.On, f.Size = clocks(rng, t), pick(rng, -1.0, 1)*pick(rng, between(rng, 0.05, 3), between(rng, 3, 100), between(rng, 100, 1e5))
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			for _, c := range w.computer(f.On) {
				c.offset += int64(f.Size * 1e9)
			}
			return nil
		},
	},
	{
		name: "clock-jump", weight: 3, harm: timeHarm,
		draw: func(rng *rand.Rand, _ *Trial, f *Fault) {
			f.Size = pick(rng, -1.0, 1) * pick(rng, between(rng, 0.05, 3), between(rng, 3, 100), between(rng, 100, 5000))
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			w.jump(int64(f.Size * 1e9))
			return nil
		},
	},
	{
		name: "clock-stop", weight: 3, harm: timeHarm,
		draw: func(rng *rand.Rand, t *Trial, f *Fault) {
			f.On, f.For, f.Size = clocks(rng, t), between(rng, 0.5, 20), float64(rng.IntN(2))
		},
		begin: func(w *world, f *Fault, _ *rand.Rand) func() {
			var stopped []*clock
			for _, c := range w.computer(f.On) {
				if c.stopped == 0 {
					c.stopped = w.Now() + c.offset
					stopped = append(stopped, c)
				}
			}
			return func() {
				for _, c := range stopped {
					if f.Size == 1 { // it continues from where it stood
						c.offset = c.stopped - w.Now()
					}
					c.stopped = 0
				}
			}
		},
	},
}

// diskKinds are faults of the disk with the journal.
var diskKinds = []kind{
	{name: "disk-full", weight: 5, harm: always(harmDisk), draw: drawDisk, begin: onDisk(func(d *disk, fails bool) { d.full = fails })},
	{name: "disk-sick", weight: 5, harm: always(harmDisk), draw: drawDisk, begin: onDisk(func(d *disk, fails bool) { d.sick = fails })},
}

// drawDisk draws when the disk fails: at once, or with the next write of an observation.
func drawDisk(rng *rand.Rand, _ *Trial, f *Fault) {
	f.On, f.For = pick(rng, "", "observation"), between(rng, 0.5, 40)
}

// onDisk returns a fault of the disk that set sets.
func onDisk(set func(d *disk, fails bool)) func(*world, *Fault, *rand.Rand) func() {
	return func(w *world, f *Fault, _ *rand.Rand) func() {
		d := w.disk
		if f.On == "" {
			set(d, true)
			return func() { set(d, false) }
		}
		d.next = func() {
			set(d, true)
			w.after(f.For, func() { set(d, false) })
		}
		return nil
	}
}
