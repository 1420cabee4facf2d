// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"errors"
	"fmt"
	"time"

	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/tf"
)

// listener subscribes to /tf and /tf_static and passes on the poses of a track. It may be
// used only from callbacks of its node.
type listener struct {
	node   *ros.Node
	buffer *tf.Buffer
	track  *track
	delay  float64           // by which the stamps are late, s
	moving *ros.Subscription // /tf
	warn   ros.Throttle
	found  func(located) error

	err  error // why there is no chain of transforms; nil: there is one
	bad  error // why the last pose was not used; nil: it was
	when int64 // node's time of the newest pose, ns; 0: there was none
	skew int64 // node's time minus its stamp, ns
}

// queue is the number of messages that wait on /tf, as in tf2_ros: each node that knows a
// link publishes there.
const queue = 100

// listenTF calls found with each pose. found returns why a pose is not used.
func listenTF(node *ros.Node, target, base string, delay float64, found func(located) error) (*listener, error) {
	l := &listener{node: node, buffer: tf.New(), delay: delay, warn: node.NewThrottle(time.Second), found: found}
	l.track = newTrack(target, base, l.buffer)
	var err error
	if l.moving, err = ros.Subscribe(node, "/tf", ros.DefaultQoS().WithDepth(queue), func(m *tf2_msgs.TFMessage, _ ros.MessageInfo) {
		l.add(m, false)
	}); err != nil {
		return nil, err
	}
	_, err = ros.Subscribe(node, "/tf_static", ros.Latched().WithDepth(queue), func(m *tf2_msgs.TFMessage, _ ros.MessageInfo) {
		l.add(m, true)
	})
	return l, err
}

func (l *listener) add(m *tf2_msgs.TFMessage, static bool) {
	for i := range m.Transforms {
		t := &m.Transforms[i]
		if err := l.buffer.Take(t, l.node.Measured(t.Header.Stamp, l.delay), static); err != nil {
			l.warn.Warn("a transform is not used", "frame_id", t.Header.FrameID, "child_frame_id", t.ChildFrameID, "error", err.Error())
		}
	}
	at, due, err := l.track.next()
	if l.err = err; due {
		l.when = l.node.Now()
		l.skew = l.when - at.Stamp
		l.bad = l.found(at)
	}
}

const (
	// silence is the time without a new pose after which missing reports it.
	silence = 5 * time.Second
	// mostSkew is the difference between stamps and the node's time that slow networks do
	// not exceed if the clocks are set.
	mostSkew = 5 * time.Second
)

// missing says in a sentence why there are no poses; "" if there are.
func (l *listener) missing() string {
	waiting := fmt.Sprintf("waiting for the transform %s → %s on %s: ", l.track.target, l.track.base, l.moving.Name())
	since := time.Duration(l.node.Now() - l.when)
	switch {
	case l.moving.Matched() == 0:
		return waiting + "no publisher"
	case len(l.buffer.Links) == 0:
		return waiting + "nothing was received"
	case l.err != nil:
		return waiting + l.err.Error()
	case !l.track.believes():
		return "" // the check of the covariance reports why it is missing
	case l.bad != nil:
		text := waiting + "transforms are refused: " + l.bad.Error()
		if errors.As(l.bad, new(*ros.AheadError)) {
			text += ros.OrAdd(poseDelay, time.Duration(-l.skew))
		}
		return text
	case l.when == 0 || since > silence:
		return waiting + l.lagging()
	case time.Duration(max(l.skew, -l.skew)) > mostSkew:
		return waiting + fmt.Sprintf("its stamps differ from this node's time by %v: a clock is not set, or use_sim_time is set on one side only", time.Duration(-l.skew).Round(time.Second)) + ros.OrAdd(poseDelay, time.Duration(-l.skew))
	}
	return ""
}

// lagging names the link whose transforms ended first.
func (l *listener) lagging() string {
	chain, err := l.buffer.Chain(l.track.target, l.track.base)
	if err != nil {
		return err.Error()
	}
	stamp, ok := l.buffer.Newest(chain)
	if !ok {
		return "all of its transforms are static"
	}
	for i, child := range chain[:len(chain)-1] {
		if _, ok := l.buffer.Links[child].At(stamp); !ok {
			return fmt.Sprintf("%s → %s begins later than the other transforms end", chain[i+1], child)
		}
	}
	for i, child := range chain[:len(chain)-1] {
		if link := l.buffer.Links[child]; !link.Static && link.Newest() == stamp {
			return fmt.Sprintf("%s → %s is no longer published", chain[i+1], child)
		}
	}
	return "its links have no time in common"
}
