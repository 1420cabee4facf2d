// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/mission"
)

func TestMain(m *testing.M) { killtest.Main(m, writeForEver) }

// writeForEver continues a journal and prints the number of each observation that it has
// committed. It writes other entries in between.
func writeForEver(args []string) error {
	j, s, err := Open(OS{}, args[0])
	if err != nil {
		return err
	}
	next := 1
	if s == nil {
		if err := j.Start(begin(), run(), Start{}); err != nil {
			return err
		}
	} else {
		next = len(s.Observations) + 1
	}
	for i := next; ; i++ {
		for range i % 4 {
			if err := j.Append(Progress{Stamp: int64(i), Track: []record.Place{{1, 2}, {3, 4}}}); err != nil {
				return err
			}
		}
		if err := j.Append(Status{Mission: mission.Status{State: mission.StateSampling, Samples: i - 1}}); err != nil {
			return err
		}
		if err := j.Commit(observation(i)); err != nil {
			return err
		}
		if _, err := fmt.Println(i); err != nil {
			return err
		}
	}
}

// A journal whose writer is killed repeatedly, at any moment, has each observation that was
// committed, once and in order. UGP_JOURNAL_KILLS is the number of kills (default 20).
func TestKill(t *testing.T) {
	kills := killtest.Times(t, "UGP_JOURNAL_KILLS", 20)
	dir := ""
	rng := rand.New(rand.NewPCG(5, 6))
	acknowledged, torn, unheard, all := 0, 0, 0, 0
	for i := range kills {
		if i%50 == 0 { // before it takes long to read
			all, acknowledged, dir = all+acknowledged, 0, t.TempDir()
		}
		last, _ := killtest.Kill(t, rng.IntN(12), time.Duration(rng.IntN(2000))*time.Microsecond, dir) // 0 without any
		acknowledged = max(acknowledged, last)
		s, err := Read(dir)
		if errors.Is(err, os.ErrNotExist) && acknowledged == 0 {
			continue
		}
		must.OK(t, err)
		for i, o := range s.Observations {
			if o.Sequence != i+1 {
				t.Fatalf("observation %d has the number %d", i+1, o.Sequence)
			}
		}
		n := len(s.Observations)
		if n < acknowledged {
			t.Fatalf("%d observations, and %d was acknowledged: %v", n, acknowledged, s.Problems)
		}
		if s.Mission.Samples != n || len(s.Problems) > 1 {
			t.Fatalf("%d samples of %d observations; %v", s.Mission.Samples, n, s.Problems)
		}
		torn += len(s.Problems)
		unheard += n - acknowledged
		acknowledged = n // the next run knows of them
	}
	all += acknowledged
	if all < kills {
		t.Errorf("only %d observations in %d runs", all, kills)
	}
	t.Logf("%d kills, %d observations, %d written and not heard of, %d torn lines", kills, all, unheard, torn)
}
