// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"context"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/web"
)

// pageReader has the lines of the explorer's log as the page shows them.
type pageReader struct {
	lines *[]string
	of    string // full name of the node
}

func (r pageReader) Enabled(context.Context, slog.Level) bool { return true }

func (r pageReader) Handle(_ context.Context, record slog.Record) error {
	var attrs []slog.Attr
	record.Attrs(func(a slog.Attr) bool { attrs = append(attrs, a); return true })
	if r.of == "/ugp_explorer" {
		*r.lines = append(*r.lines, web.Sentence(record.Message, attrs))
	}
	return nil
}

func (r pageReader) WithAttrs(attrs []slog.Attr) slog.Handler {
	r.of = attrs[0].Value.String()
	return r
}

func (r pageReader) WithGroup(string) slog.Handler { return r }

// Every line that the page shows of a mission, with waits at edges and with orders of people, is a sentence without the keys of the
// log, and no number in it has more than five digits.
func TestPageShowsSentences(t *testing.T) {
	var said []string
	cfg := DefaultConfig(20)
	cfg.Fieldsim.Field.Boundary = outlineFile(t, rectangle(100, 100))
	cfg.Explorer.Model.Fit, cfg.Explorer.Search.Starts = false, 150
	s := begin(t, &cfg, Options{Log: pageReader{lines: &said}, Parameters: parameters(t, `
/**/fieldsim: {ros__parameters: {fix.stddev: 0.5, fix.outage_gap: 60.0, fix.outage_length: 20.0}}
`)})
	node, err := ros.NewNode(s.graph, s.executor, "person", ros.NodeOptions{})
	must.OK(t, err)
	s.nodes = append(s.nodes, node)
	orders := strings.Split("pause, resume, skip, goto 50.12 49.99, goto 500 1, goto 99.9 99.9, skip, pause, skip, resume, home, more 50", ", ")
	ticks := 0
	_, err = node.NewTimer(5*time.Second, func() {
		if ticks++; ticks%8 != 0 && !slices.Equal(orders, []string{"more 50"}) { // which comes on the way home
			return
		}
		if len(orders) > 0 && (orders[0] != "home" || time.Duration(s.executor.Now()) > 12*time.Minute) {
			_, _, err := s.host.Order(orders[0])
			must.OK(t, err)
			orders = orders[1:]
		}
	})
	must.OK(t, err)
	must.OK(t, s.Run(t.Context()))
	if len(orders) > 0 {
		t.Errorf("the mission was over before the orders %q", orders)
	}
	keys, long := regexp.MustCompile(`=|[a-z0-9]_[a-z0-9]`), regexp.MustCompile(`\d(?:\.?\d){5}`)
	for _, line := range said {
		if keys.MatchString(line) || long.MatchString(line) || strings.Contains(line, "%!") {
			t.Errorf("no sentence for people: %s", line)
		}
	}
	all := strings.Join(said, "\n")
	t.Logf("%d lines:\n%s", len(said), all)
	for _, want := range []string{"target 1: (", "sample 1 of ", "a target is given up, at (", "the robot waits for a more certain position", " to the edge, ", "the robot drives on", "was refused: ", "done: "} {
		if !strings.Contains(all, want) {
			t.Errorf("nobody says %q", want)
		}
	}
}
