package ros

import (
	"context"
	"fmt"
	"io"
	"log/slog"
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
	mu    *sync.Mutex // one line at a time
	w     io.Writer
	name  string // of the logger
	attrs string
	group string // "a.b."
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
	var line strings.Builder
	ns := r.Time.UnixNano()
	fmt.Fprintf(&line, "[%s] [%010d.%09d] [%s]: %s%s", severities[rosLevel(r.Level)], ns/int64(time.Second), ns%int64(time.Second), c.name, Printable(r.Message, MostText), c.attrs)
	r.Attrs(func(a slog.Attr) bool {
		appendAttr(&line, c.group, a)
		return true
	})
	line.WriteByte('\n')
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := io.WriteString(c.w, line.String())
	return err
}

// WithAttrs implements slog.Handler.
func (c *console) WithAttrs(attrs []slog.Attr) slog.Handler {
	d := *c
	var text strings.Builder
	for _, a := range attrs {
		if a.Key == nodeAttr && c.group == "" {
			d.name = loggerName(a.Value.String())
			continue
		}
		appendAttr(&text, c.group, a)
	}
	d.attrs += text.String()
	return &d
}

// WithGroup implements slog.Handler.
func (c *console) WithGroup(name string) slog.Handler {
	d := *c
	if name != "" {
		d.group += name + "."
	}
	return &d
}

// loggerName returns the name of the logger of the node with a full name: rcl's
// "field.ugp_explorer" for "/field/ugp_explorer".
func loggerName(node string) string {
	return strings.ReplaceAll(strings.TrimPrefix(node, "/"), "/", ".")
}
