// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"context"
	"log/slog"
	"math"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros/exec"
)

// levelFatal is ROS's FATAL, above slog's levels.
const levelFatal = slog.Level(12)

// rosLevel returns the level in rcl_interfaces/Log that corresponds to l.
func rosLevel(l slog.Level) uint8 {
	switch {
	case l < slog.LevelInfo:
		return rcl_interfaces.LogDebug
	case l < slog.LevelWarn:
		return rcl_interfaces.LogInfo
	case l < slog.LevelError:
		return rcl_interfaces.LogWarn
	case l < levelFatal:
		return rcl_interfaces.LogError
	}
	return rcl_interfaces.LogFatal
}

// TimeMsg returns a time in ns since the epoch as a message.
func TimeMsg(ns int64) builtin_interfaces.Time {
	sec := ns / int64(time.Second)
	if ns%int64(time.Second) < 0 {
		sec--
	}
	return builtin_interfaces.Time{Sec: int32(sec), Nanosec: uint32(ns - sec*int64(time.Second))}
}

// Duration converts seconds.
func Duration(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// TimeNs returns a time message in ns since the epoch.
func TimeNs(t builtin_interfaces.Time) int64 {
	return int64(t.Sec)*int64(time.Second) + int64(t.Nanosec)
}

// rosout publishes the log of one node. It may be used from any goroutine that may
// publish on the node's transport.
type rosout struct {
	mu  sync.Mutex
	w   *RawPublisher
	msg rcl_interfaces.Log
	buf []byte
}

// publish sends a record with its stamp; now is the node's time. Both are in ns.
func (r *rosout) publish(stamp, now int64, level slog.Level, text string, pc uintptr) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.msg.Stamp, r.msg.Level, r.msg.Msg = TimeMsg(stamp), rosLevel(level), text
	r.msg.File, r.msg.Function, r.msg.Line = "", "", 0
	if pc != 0 {
		f, _ := runtime.CallersFrames([]uintptr{pc}).Next()
		r.msg.File, r.msg.Function, r.msg.Line = f.File, f.Function, uint32(f.Line)
	}
	r.buf = r.msg.AppendCDR(r.buf[:0])
	_ = r.w.Publish(r.buf, now) // an error here could only be logged
}

// logHandler stamps records and passes them to another handler and to /rosout. The stamps are
// of the wall clock, as those of rcutils are also with use_sim_time, so that the lines of all
// nodes can be compared. Only where time itself is simulated, in one process, are they of
// that time: equal runs log the same.
type logHandler struct {
	now   func() int64 // the node's time, ns
	stamp func() int64 // ns
	level slog.Level   // lowest that is logged
	base  slog.Handler // nil for none
	out   *rosout      // nil for none
	tap   *atomic.Pointer[LogListener]
	flat  flat
}

// LogListener is called with each line that a node logs: its stamp, ns, as on /rosout, its message and
// its attributes, in which no groups are left. Any goroutine that logs may call it. It must not log.
type LogListener func(stamp int64, level slog.Level, message string, attrs []slog.Attr)

// SetLogTap makes fn the node's log tap from now on, instead of an earlier one. nil removes
// it.
func (n *Node) SetLogTap(fn LogListener) {
	if fn == nil {
		n.logTap.Store(nil)
		return
	}
	n.logTap.Store(&fn)
}

// openLog creates the node's logger.
func (n *Node) openLog(opts NodeOptions) error {
	h := &logHandler{now: n.ex.Now, stamp: func() int64 { return time.Now().UnixNano() }, level: opts.LogLevel, base: opts.LogHandler, tap: n.logTap}
	if _, simulated := n.ex.(*exec.Simulated); simulated {
		h.stamp = n.ex.Now
	}
	if h.base != nil {
		h.base = h.base.WithAttrs([]slog.Attr{slog.String(nodeAttr, n.full)})
	}
	n.log = slog.New(h)
	if opts.NoRosout {
		return nil
	}
	var msg rcl_interfaces.Log
	w, err := AdvertiseRaw(n, "/rosout", msg.TypeName(), msgs.TypeHash(msg.TypeName()), rosoutQoS())
	if err != nil {
		return err
	}
	msg.Name = loggerName(n.full)
	h.out = &rosout{w: w, msg: msg}
	return nil
}

// Enabled implements slog.Handler.
func (h *logHandler) Enabled(_ context.Context, l slog.Level) bool {
	return l >= h.level
}

// Handle implements slog.Handler.
func (h *logHandler) Handle(ctx context.Context, r slog.Record) error {
	stamp := h.stamp()
	r = roundedRecord(r)
	if h.out != nil {
		h.out.publish(stamp, h.now(), r.Level, h.flat.text(r), r.PC)
	}
	if tap := h.tap.Load(); tap != nil {
		(*tap)(stamp, r.Level, Printable(r.Message, MostText), h.flat.all(r))
	}
	if h.base == nil || !h.base.Enabled(ctx, r.Level) {
		return nil
	}
	r.Time = time.Unix(0, stamp).UTC()
	return h.base.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h *logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	c := *h
	attrs = rounded(attrs)
	c.flat = h.flat.with(attrs)
	if c.base != nil {
		c.base = c.base.WithAttrs(attrs)
	}
	return &c
}

// WithGroup implements slog.Handler.
func (h *logHandler) WithGroup(name string) slog.Handler {
	c := *h
	c.flat.group += name + "."
	if c.base != nil {
		c.base = c.base.WithGroup(name)
	}
	return &c
}

// roundedRecord returns a record with rounded numbers.
func roundedRecord(r slog.Record) slog.Record {
	c := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	r.Attrs(func(a slog.Attr) bool {
		c.AddAttrs(rounded([]slog.Attr{a})...)
		return true
	})
	return c
}

// rounded returns attributes with numbers of four digits, and of five from 100 on, so that metres are known
// to a centimetre. Whole units are kept.
func rounded(attrs []slog.Attr) []slog.Attr {
	list := slices.Clone(attrs)
	for i, a := range list {
		switch v := a.Value.Resolve(); v.Kind() {
		case slog.KindFloat64:
			digits := 4
			if a := math.Abs(v.Float64()); a >= 100 && a < 1e9 {
				digits = max(5, 1+int(math.Log10(a)))
			}
			short, _ := strconv.ParseFloat(strconv.FormatFloat(v.Float64(), 'e', digits-1, 64), 64)
			list[i].Value = slog.Float64Value(short)
		case slog.KindGroup:
			list[i].Value = slog.GroupValue(rounded(v.Group())...)
		}
	}
	return list
}
