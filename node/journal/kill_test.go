package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"ugp_explorer/node/report"
	"ugp_explorer/planner"
)

// TestMain is also the program that is killed: it goes on with a journal until it
// is.
func TestMain(m *testing.M) {
	if dir := os.Getenv("UGP_JOURNAL_VICTIM"); dir != "" {
		fmt.Println(writeForEver(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeForEver takes a journal up, and says on its output which observation it has
// committed. Other entries come in between.
func writeForEver(dir string) error {
	j, s, err := Open(dir)
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
			if err := j.Append(Progress{Stamp: int64(i), Track: []report.Place{{1, 2}, {3, 4}}}); err != nil {
				return err
			}
		}
		if err := j.Append(Status{Mission: planner.MissionStatus{State: planner.StateSampling, Samples: i - 1}}); err != nil {
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

// A journal whose writer is killed again and again, at any moment, has each
// observation that was committed, once and in its order. UGP_JOURNAL_KILLS says how
// often (20 without).
func TestKill(t *testing.T) {
	kills := 20
	if s := os.Getenv("UGP_JOURNAL_KILLS"); s != "" {
		var err error
		if kills, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	dir := ""
	rng := rand.New(rand.NewPCG(5, 6))
	acknowledged, torn, unheard, all := 0, 0, 0, 0
	for i := range kills {
		if i%50 == 0 { // before it takes long to read
			all, acknowledged, dir = all+acknowledged, 0, t.TempDir()
		}
		last := killed(t, dir, rng.IntN(12), time.Duration(rng.IntN(2000))*time.Microsecond)
		acknowledged = max(acknowledged, last)
		s, err := Read(dir)
		if errors.Is(err, os.ErrNotExist) && acknowledged == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
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

// killed runs a writer until it has acknowledged so often and a little longer,
// kills it with SIGKILL, and returns the last number that it acknowledged, 0 when
// there is none.
func killed(t *testing.T, dir string, times int, longer time.Duration) (last int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "UGP_JOURNAL_VICTIM="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	number := func() bool {
		if !lines.Scan() {
			return false
		}
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Errorf("the writer says: %s %s", lines.Text(), stderr.String())
			return false
		}
		last = n
		return true
	}
	for range times {
		if !number() {
			break
		}
	}
	timer := time.AfterFunc(longer, func() { cmd.Process.Kill() }) // in the middle of something
	for number() {
	}
	timer.Stop()
	cmd.Process.Kill()
	cmd.Wait()
	return last
}
