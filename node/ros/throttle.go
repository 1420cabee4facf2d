// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"context"
	"log/slog"
	"runtime"
	"time"
)

// Throttle logs one kind of event at most once per period of the node's time, with the
// number of records suppressed since. It may be used only from callbacks of its node.
type Throttle struct {
	node   *Node
	period int64
	last   int64
	held   int
	spoken bool
}

// NewThrottle returns a Throttle that logs one record per period.
func (n *Node) NewThrottle(period time.Duration) Throttle {
	return Throttle{node: n, period: int64(period)}
}

// Log logs the record or counts it as suppressed. After a step back of the clock it logs.
func (t *Throttle) Log(level slog.Level, msg string, args ...any) { t.log(level, msg, args) }

// Warn is Log at the level WARN.
func (t *Throttle) Warn(msg string, args ...any) { t.log(slog.LevelWarn, msg, args) }

// Error is Log at the level ERROR.
func (t *Throttle) Error(msg string, args ...any) { t.log(slog.LevelError, msg, args) }

// Unsent logs the error of a message that was not published; nil is none.
func (t *Throttle) Unsent(err error) {
	if err != nil {
		t.Error("a message was not published", "error", err.Error())
	}
}

func (t *Throttle) log(level slog.Level, msg string, args []any) {
	h := t.node.log.Handler()
	if !h.Enabled(context.Background(), level) {
		return
	}
	now := t.node.Now()
	if since := now - t.last; t.spoken && since >= 0 && since < t.period {
		t.held++
		return
	}
	var pc [1]uintptr
	runtime.Callers(3, pc[:]) // skips Callers, log and Warn: the record names their caller
	r := slog.NewRecord(time.Unix(0, now), level, msg, pc[0])
	r.Add(args...)
	if t.held > 0 {
		r.AddAttrs(slog.Int("suppressed", t.held))
	}
	t.last, t.held, t.spoken = now, 0, true
	_ = h.Handle(context.Background(), r)
}
