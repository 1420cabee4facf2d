// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math/rand/v2"
	"time"
)

// topics are those whose messages may be disturbed: their nodes must live with it. Between
// computers that lose sight of each other even reliable topics lose messages.
var topics = []string{"/odom", "/fix_pose", "/reading", "/odometry/filtered", "/pose", "/goal_pose", "/plan", "/cmd_vel"}

// topicHarm returns what is disturbed when messages of a topic are lost or late.
func topicHarm(f *Fault) harm {
	switch f.On {
	case "/cmd_vel":
		return harmCommand | harmMotion
	case "/goal_pose", "/plan":
		return harmPlan | harmMotion
	}
	return harmMotion
}

// onSome draws a topic, how long the fault lasts, and its size, between limits.
func onSome(lo, hi, least, most float64) func(*rand.Rand, *Trial, *Fault) {
	return func(rng *rand.Rand, _ *Trial, f *Fault) {
		f.On, f.For, f.Size = pick(rng, topics...), between(rng, lo, hi), between(rng, least, most)
	}
}

// deliver hands over a message with a delay.
type deliver func(cdr []byte, delay time.Duration)

// messageKinds are faults of the network.
var messageKinds = []kind{
	{name: "lose", weight: 6, harm: topicHarm, draw: onSome(1, 20, 0.1, 1), begin: onTopic(func(f *Fault, rng *rand.Rand, cdr []byte, pass deliver) {
		if rng.Float64() >= f.Size {
			pass(cdr, 0)
		}
	})},
	{
		name: "silence", weight: 5, harm: topicHarm,
		draw:  func(rng *rand.Rand, _ *Trial, f *Fault) { f.On, f.For = pick(rng, topics...), between(rng, 0.5, 15) },
		begin: onTopic(func(*Fault, *rand.Rand, []byte, deliver) {}),
	},
	{name: "double", weight: 3, harm: always(0), draw: onSome(5, 40, 0.1, 1), begin: onTopic(func(f *Fault, rng *rand.Rand, cdr []byte, pass deliver) {
		pass(cdr, 0)
		if rng.Float64() < f.Size {
			pass(cdr, span(rng, 0, 0.3))
		}
	})},
	{name: "late", weight: 6, harm: topicHarm, draw: onSome(2, 30, 0.05, 5), begin: onTopic(func(f *Fault, _ *rand.Rand, cdr []byte, pass deliver) {
		pass(cdr, time.Duration(f.Size*float64(time.Second)))
	})},
	{name: "shuffle", weight: 4, harm: topicHarm, draw: onSome(2, 30, 0.2, 3), begin: onTopic(func(f *Fault, rng *rand.Rand, cdr []byte, pass deliver) {
		pass(cdr, span(rng, 0, f.Size))
	})},
}

// span returns a time between two limits in s.
func span(rng *rand.Rand, lo, hi float64) time.Duration {
	return time.Duration(between(rng, lo, hi) * float64(time.Second))
}

// onTopic returns a fault that passes the messages of its topic.
func onTopic(pass func(*Fault, *rand.Rand, []byte, deliver)) func(*world, *Fault, *rand.Rand) func() {
	return func(w *world, f *Fault, rng *rand.Rand) func() {
		topic := f.On
		if topic == "/cmd_vel" && w.trial.guard { // it stands beside the base
			topic = "/cmd_vel_in"
		}
		return w.wire.add(topic, func(cdr []byte, on deliver) { pass(f, rng, cdr, on) })
	}
}
