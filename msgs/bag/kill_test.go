// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/killtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
)

func TestMain(m *testing.M) { killtest.Main(m, writeForEver) }

// writeForEver writes observations to a bag in a folder and prints how many are acknowledged after each Flush.
func writeForEver(args []string) error {
	w, err := bagwriter.Create(args[0], 500_000)
	if err != nil {
		return err
	}
	observations := &bagwriter.Topic{Name: "/ugp_explorer/observation", Type: "ugp_explorer/msg/FieldObservation"}
	readings := &bagwriter.Topic{Name: "/reading", Type: "std_msgs/msg/Float64"}
	for i := 0; ; i++ {
		var f ugp_explorer_msgs.FieldObservation
		f.Sequence = uint32(i)
		if err := w.Write(observations, epoch+int64(i)*1e6, 0, f.AppendCDR(nil)); err != nil {
			return err
		}
		if err := w.Write(readings, epoch+int64(i)*1e6, 0, (&std_msgs.Float64{Data: float64(i)}).AppendCDR(nil)); err != nil {
			return err
		}
		if i%7 == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
			if _, err := fmt.Println(i); err != nil {
				return err
			}
		}
	}
}

// Whenever the writer is killed, everything that was flushed is there, and nothing but whole messages. UGP_BAG_KILLS says how often (20 without).
func TestKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for i := range killtest.Times(t, "UGP_BAG_KILLS", 20) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
		acknowledged, ok := killtest.Kill(t, 1+rng.IntN(150), time.Duration(rng.IntN(3000))*time.Microsecond, dir)
		if !ok {
			t.Fatal("the writer acknowledged nothing")
		}
		checkKilled(t, dir, acknowledged)
		must.OK(t, os.RemoveAll(dir))
	}
}

func checkKilled(t *testing.T, dir string, acknowledged int) {
	t.Helper()
	r, err := Open(t.Context(), dir)
	must.OK(t, err)
	defer r.Close()
	next := 0
	var f ugp_explorer_msgs.FieldObservation
	for m, err := range r.Messages(Query{Topics: []string{"/ugp_explorer/observation"}}) {
		must.OK(t, err)
		must.OK(t, f.UnmarshalCDR(m.Data))
		if int(f.Sequence) != next {
			t.Fatalf("observation %d after %d", f.Sequence, next-1)
		}
		next++
	}
	if next <= acknowledged {
		t.Errorf("%d observations, and %d was acknowledged: %v", next, acknowledged, r.Info().Problems)
	}
}
