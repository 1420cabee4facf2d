// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// console writes log records as rcutils does by default, one line each:
//
//	[INFO] [1700000000.123456789] [field.ugp_explorer]: message key=value
//
// Attributes follow the message, as on /rosout. A text from outside cannot forge a line, see
// [Printable].
type console struct {
	mu   *sync.Mutex // one line at a time
	w    io.Writer
	name string // of the logger
	flat flat
}

// NewConsole returns a handler that writes lines as other ROS 2 nodes do. It is safe for
// concurrent use.
func NewConsole(w io.Writer) slog.Handler { return &console{mu: new(sync.Mutex), w: w} }

// nodeAttr is the attribute with the full name of the node.
const nodeAttr = "node"

// Enabled implements slog.Handler: the node's logger chooses the level.
func (c *console) Enabled(context.Context, slog.Level) bool { return true }

// severities are the names of rcutils, by rosLevel.
var severities = map[uint8]string{10: "DEBUG", 20: "INFO", 30: "WARN", 40: "ERROR", 50: "FATAL"}

// Handle implements slog.Handler.
func (c *console) Handle(_ context.Context, r slog.Record) error {
	ns := r.Time.UnixNano()
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := fmt.Fprintf(c.w, "[%s] [%010d.%09d] [%s]: %s\n", severities[rosLevel(r.Level)], ns/int64(time.Second), ns%int64(time.Second), c.name, c.flat.text(r))
	return err
}

// WithAttrs implements slog.Handler.
func (c *console) WithAttrs(attrs []slog.Attr) slog.Handler {
	d := *c
	if len(attrs) == 1 && attrs[0].Key == nodeAttr && c.flat.group == "" {
		d.name = loggerName(attrs[0].Value.String())
		return &d
	}
	d.flat = c.flat.with(attrs)
	return &d
}

// WithGroup implements slog.Handler.
func (c *console) WithGroup(name string) slog.Handler {
	d := *c
	d.flat.group += name + "."
	return &d
}

// flat makes one line of a record: its message and " key=value" of each attribute, with the
// groups before the key.
type flat struct {
	attrs []slog.Attr // of the logger, with their groups before the key
	group string      // "a.b."
}

func (f flat) with(attrs []slog.Attr) flat {
	f.attrs = slices.Clip(f.attrs) // other loggers may continue from here, too
	for _, a := range attrs {
		f.attrs = appendAttr(f.attrs, f.group, a)
	}
	return f
}

// all returns the attributes of a record, and those of the logger before them, without groups.
func (f flat) all(r slog.Record) []slog.Attr {
	list := slices.Clip(f.attrs)
	r.Attrs(func(a slog.Attr) bool {
		list = appendAttr(list, f.group, a)
		return true
	})
	return list
}

func (f flat) text(r slog.Record) string {
	var text strings.Builder
	text.WriteString(Printable(r.Message, MostText))
	for _, a := range f.all(r) {
		text.WriteString(" " + a.Key + "=" + a.Value.String())
	}
	return text.String()
}

// appendAttr appends an attribute, or those of a group. What is not a number becomes a text of one line.
func appendAttr(list []slog.Attr, group string, a slog.Attr) []slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindGroup:
	case slog.KindFloat64, slog.KindInt64, slog.KindUint64:
		return append(list, slog.Attr{Key: group + a.Key, Value: v})
	default:
		if a.Equal(slog.Attr{}) {
			return list
		}
		return append(list, slog.String(group+a.Key, Printable(v.String(), MostText)))
	}
	if a.Key != "" {
		group += a.Key + "."
	}
	for _, m := range v.Group() {
		list = appendAttr(list, group, m)
	}
	return list
}

// loggerName returns the name of the logger of the node with a full name: rcl's
// "field.ugp_explorer" for "/field/ugp_explorer".
func loggerName(node string) string {
	return strings.ReplaceAll(strings.TrimPrefix(node, "/"), "/", ".")
}
