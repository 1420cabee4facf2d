// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"testing"
	"time"
)

func no() bool  { return false }
func yes() bool { return true }

// Strangers who guess from many addresses keep out strangers, and nobody who was in before.
func TestGuessesOfManyAddresses(t *testing.T) {
	now := time.Unix(0, 0)
	g := newGuesses(func() time.Time { return now })
	if ok, looked := g.try("known", yes); !ok || !looked {
		t.Fatalf("the right token: %v, looked at %v", ok, looked)
	}
	looks := 0
	for i := range 100 {
		for range 20 {
			if _, looked := g.try(string(rune('A'+i)), no); looked {
				looks++
			}
		}
	}
	if looks != shareOfAll*guessBurst {
		t.Errorf("%d wrong tokens were looked at, want %d", looks, shareOfAll*guessBurst)
	}
	if _, looked := g.try("new", yes); looked {
		t.Error("the token of a new address was looked at")
	}
	for range 100 { // right ones cost nothing
		if ok, _ := g.try("known", yes); !ok {
			t.Fatal("the right token was not looked at")
		}
	}
	for range 10 {
		g.try("known", no)
	}
	if _, looked := g.try("known", yes); looked {
		t.Error("an address that was in before can guess without a limit")
	}
	now = now.Add(2 * time.Second)
	if ok, _ := g.try("known", yes); !ok {
		t.Error("the right token after a wait was not looked at")
	}
}

// Beyond the limits the oldest stranger goes: of an address with too many, or of that with the most.
func TestAdmit(t *testing.T) {
	type guest struct {
		host  string
		known bool
	}
	for _, c := range []struct {
		name string
		open []guest
		host string // of the one that comes
		want int    // index of the one that goes, -1: none
	}{
		{"room", []guest{{"a", false}, {"a", false}}, "b", -1},
		{"too many of one", []guest{{"b", false}, {"a", true}, {"a", false}, {"a", false}}, "a", 2},
		{"too many of one that are known", []guest{{"a", true}, {"a", true}, {"a", true}}, "a", 3},
		{"a proxy", []guest{{"127.0.0.1", false}, {"127.0.0.1", false}, {"127.0.0.1", false}, {"127.0.0.1", false}}, "127.0.0.1", -1},
		{"full", []guest{{"b", false}, {"a", true}, {"a", false}, {"a", false}, {"c", true}}, "d", 2},
		{"full of known ones", []guest{{"a", true}, {"a", true}, {"b", true}, {"b", true}, {"c", true}}, "d", 5},
	} {
		l := &listener{most: 5, mostEach: 3}
		for _, g := range c.open {
			o := &connection{host: g.host}
			o.known.Store(g.known)
			l.open = append(l.open, o)
		}
		got := -1
		if out := l.admit(&connection{host: c.host}); out != nil {
			for i, o := range l.open {
				if o == out {
					got = i
				}
			}
		}
		if got != c.want {
			t.Errorf("%s: %d goes, want %d", c.name, got, c.want)
		}
	}
}
