package bag

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// TestMain is also the program that is killed: it writes a bag until it is.
func TestMain(m *testing.M) {
	if dir := os.Getenv("UGP_BAG_VICTIM"); dir != "" {
		fmt.Println(writeForEver(dir, os.Getenv("UGP_BAG_STORAGE"), Compression(os.Getenv("UGP_BAG_COMPRESSION"))))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// writeForEver writes observations, and says on its output how many are acknowledged after each Flush.
func writeForEver(dir, storage string, c Compression) error {
	cfg := DefaultConfig()
	cfg.Storage, cfg.Compression, cfg.FlushEvery, cfg.ChunkBytes, cfg.MaxFileBytes = storage, c, 3*time.Millisecond, 20_000, 500_000
	w, err := Create(dir, cfg)
	if err != nil {
		return err
	}
	for _, t := range sampleTopics() {
		if err := w.AddTopic(t); err != nil {
			return err
		}
	}
	for i := 0; ; i++ {
		f := ugp_explorer_msgs.NewFieldObservation()
		f.Sequence = uint32(i)
		if err := w.Write("/ugp_explorer/observation", epoch+int64(i)*1e6, 0, f.AppendCDR(nil)); err != nil {
			return err
		}
		if err := w.Write("/reading", epoch+int64(i)*1e6, 0, (&std_msgs.Float64{Data: float64(i)}).AppendCDR(nil)); err != nil {
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
	kills := 20
	if s := os.Getenv("UGP_BAG_KILLS"); s != "" {
		var err error
		if kills, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(17, 18))
	configs := []struct {
		storage string
		c       Compression
	}{{MCAP, Uncompressed}, {MCAP, ChunkZstd}, {SQLite, Uncompressed}, {MCAP, FileZstd}, {SQLite, FileZstd}}
	for i := range kills {
		c := configs[i%len(configs)]
		dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
		acknowledged := killed(t, dir, c.storage, c.c, rng.IntN(150), time.Duration(rng.IntN(3000))*time.Microsecond)
		checkKilled(t, dir, acknowledged)
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// killed runs a writer until it has acknowledged so often and a little longer, kills it with SIGKILL, and returns the last number it acknowledged.
func killed(t *testing.T, dir, storage string, c Compression, times int, longer time.Duration) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "UGP_BAG_VICTIM="+dir, "UGP_BAG_STORAGE="+storage, "UGP_BAG_COMPRESSION="+string(c))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := -1
	lines := bufio.NewScanner(out)
	number := func() bool {
		if !lines.Scan() {
			return false
		}
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Errorf("the writer says: %s", lines.Text())
			return false
		}
		last = n
		return true
	}
	for range times + 1 {
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
	if last < 0 {
		t.Fatalf("the writer acknowledged nothing: %s", stderr.String())
	}
	return last
}

func checkKilled(t *testing.T, dir string, acknowledged int) {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	next := 0
	var f ugp_explorer_msgs.FieldObservation
	for m, err := range r.Messages(Query{Topics: []string{"/ugp_explorer/observation"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := f.UnmarshalCDR(m.Data); err != nil {
			t.Fatal(err)
		}
		if int(f.Sequence) != next {
			t.Fatalf("observation %d after %d", f.Sequence, next-1)
		}
		next++
	}
	if next <= acknowledged {
		t.Errorf("%d observations, and %d was acknowledged: %v", next, acknowledged, r.Info().Problems)
	}
}
