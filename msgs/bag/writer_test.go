package bag

import (
	"database/sql"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
)

func TestRoundTrip(t *testing.T) {
	all := samples(300)
	for name, cfg := range everyConfig() {
		for _, distro := range []string{"humble", "iron", "jazzy"} {
			t.Run(name+"/"+distro, func(t *testing.T) {
				cfg.Distro = distro
				cfg.ChunkBytes = 10_000
				if distro != "humble" {
					cfg.Custom = map[string]string{"mission": "7", "empty": ""}
				}
				r := openBag(t, write(t, cfg, all))
				i := r.Info()
				if i.Problems != nil {
					t.Error(i.Problems)
				}
				if i.Storage != cfg.Storage || i.Version != formats[distro].metadata || i.Distro != distro || i.Files[0].Compression != cfg.Compression {
					t.Errorf("%+v", i)
				}
				if i.Count != int64(len(all)) || i.Start != epoch || i.End != epoch+299*20e6+0 {
					t.Errorf("%d messages from %d to %d", i.Count, i.Start, i.End)
				}
				if d := cmp.Diff(cfg.Custom, i.Custom); d != "" {
					t.Error(d)
				}
				equal(t, read(t, r, Query{}), byTime(all), cfg.Storage)
				checkTopicsKept(t, i, cfg)
			})
		}
	}
}

// checkTopicsKept checks what a bag says of the topics of samples.
func checkTopicsKept(t *testing.T, i *Info, cfg Config) {
	t.Helper()
	for _, want := range sampleTopics() {
		for _, s := range samples(300) {
			if s.topic == want.Name {
				want.Count++
			}
		}
		want.Format = "cdr"
		f, _ := msgs.Lookup(want.Type)
		d := f().(cdr.Described)
		if cfg.Storage == MCAP || cfg.Distro != "humble" {
			want.Encoding, want.Definition, want.Hash = "ros2msg", d.Definition(), d.TypeHash()
		}
		var got Topic
		for _, topic := range i.Topics {
			if topic.Name == want.Name {
				got = topic
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
}

// What the writer writes is read by others' readers, too.
func TestOthersRead(t *testing.T) {
	all := samples(300)
	for name, cfg := range everyConfig() {
		if cfg.Compression == FileZstd {
			continue // no file to give them
		}
		t.Run(name, func(t *testing.T) {
			cfg.ChunkBytes = 10_000
			dir := write(t, cfg, all)
			if cfg.Storage == SQLite {
				checkSQLite(t, filepath.Join(dir, "bag_0.db3"), len(all))
				return
			}
			f, err := os.Open(filepath.Join(dir, "bag_0.mcap"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := mcap.NewReader(f)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			info, err := r.Info()
			if err != nil {
				t.Fatal(err)
			}
			if r.Header().Profile != "ros2" || info.Statistics.MessageCount != uint64(len(all)) || info.Statistics.MessageStartTime != uint64(epoch) || len(info.ChunkIndexes) < 3 {
				t.Errorf("%+v %+v", r.Header(), info.Statistics)
			}
			it, err := r.Messages(mcap.InOrder(mcap.LogTimeOrder))
			if err != nil {
				t.Fatal(err)
			}
			var got []sample
			for {
				_, c, m, err := it.NextInto(nil)
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, sample{c.Topic, int64(m.LogTime), int64(m.PublishTime), m.Data})
			}
			equal(t, got, byTime(all), MCAP)
			checkLexer(t, f)
		})
	}
}

// checkLexer goes through the file as a stream, with every checksum checked.
func checkLexer(t *testing.T, f *os.File) {
	t.Helper()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	l, err := mcap.NewLexer(f, &mcap.LexerOptions{ValidateChunkCRCs: true})
	if err != nil {
		t.Fatal(err)
	}
	for {
		token, _, err := l.Next(nil)
		if err != nil {
			t.Fatal(err)
		}
		if token == mcap.TokenFooter {
			return
		}
	}
}

func checkSQLite(t *testing.T, path string, want int) {
	t.Helper()
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if _, err := os.Stat(path + suffix); err == nil {
			t.Errorf("%s is left", path+suffix)
		}
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n int
	var state, mode string
	if err := errors.Join(db.QueryRow("SELECT COUNT(*) FROM messages JOIN topics ON topic_id = topics.id").Scan(&n), db.QueryRow("PRAGMA integrity_check").Scan(&state),
		db.QueryRow("PRAGMA journal_mode").Scan(&mode)); err != nil {
		t.Fatal(err)
	}
	if n != want || state != "ok" || mode != "delete" {
		t.Errorf("%d messages, want %d; integrity %s, journal %s", n, want, state, mode)
	}
}

func TestSplit(t *testing.T) {
	all := samples(1000)
	for name, cfg := range everyConfig() {
		t.Run(name, func(t *testing.T) {
			cfg.ChunkBytes = 5000
			cfg.MaxFileTime = 1500 * time.Millisecond
			dir := write(t, cfg, all)
			r := openBag(t, dir)
			if n := len(r.Info().Files); n != 14 || r.Info().Problems != nil { // 20 s in pieces of 1.5 s
				t.Errorf("%d files: %v", n, r.Info().Problems)
			}
			equal(t, read(t, r, Query{}), byTime(all), cfg.Storage)
			start := epoch + 3_333_000_000
			var want []sample
			for _, s := range byTime(all) {
				if s.log >= start {
					want = append(want, s)
				}
			}
			equal(t, read(t, r, Query{Start: start}), want, cfg.Storage)
			if err := os.Remove(filepath.Join(dir, metadataName)); err != nil {
				t.Fatal(err)
			}
			equal(t, read(t, openBag(t, dir), Query{}), byTime(all), cfg.Storage)

			cfg.MaxFileTime, cfg.MaxFileBytes = 0, 100_000
			r = openBag(t, write(t, cfg, all))
			for _, f := range r.Info().Files[:len(r.Info().Files)-1] {
				if cfg.Compression == Uncompressed && (f.Bytes < 100_000 || f.Bytes > 200_000) {
					t.Errorf("a file of %d bytes", f.Bytes)
				}
			}
			if len(r.Info().Files) < 3 && (cfg.Compression == Uncompressed || cfg.Compression == FileZstd) {
				t.Errorf("%d files", len(r.Info().Files))
			}
			equal(t, read(t, r, Query{}), byTime(all), cfg.Storage)
		})
	}
}

// Messages that were written in any order are read in that of their times.
func TestOutOfOrder(t *testing.T) {
	all := samples(500)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for name, cfg := range everyConfig() {
		t.Run(name, func(t *testing.T) {
			cfg.ChunkBytes = 3000
			cfg.MaxFileBytes = 50_000
			equal(t, read(t, openBag(t, write(t, cfg, all)), Query{}), byTime(all), cfg.Storage)
		})
	}
}

// After Flush a copy of the folder holds everything, whatever becomes of the writer.
func TestFlush(t *testing.T) {
	all := samples(200)
	for name, cfg := range everyConfig() {
		t.Run(name, func(t *testing.T) {
			cfg.FlushEvery = 0
			dir := filepath.Join(t.TempDir(), "bag")
			w := create(t, dir, cfg)
			for i, s := range all {
				if err := w.Write(s.topic, s.log, s.publish, s.data); err != nil {
					t.Fatal(err)
				}
				if i != len(all)/2 && i != len(all)-1 {
					continue
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				copied := filepath.Join(t.TempDir(), "copy")
				if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
					t.Fatal(err)
				}
				equal(t, read(t, openBag(t, copied), Query{}), byTime(all[:i+1]), cfg.Storage)
				equal(t, read(t, openBag(t, dir), Query{}), byTime(all[:i+1]), cfg.Storage) // and while it is being written
			}
		})
	}
}

// Without a call of Flush the messages come onto the disk by themselves.
func TestFlushEvery(t *testing.T) {
	for _, storage := range []string{MCAP, SQLite} {
		cfg := DefaultConfig()
		cfg.Storage, cfg.FlushEvery = storage, time.Millisecond
		dir := filepath.Join(t.TempDir(), "bag")
		w := create(t, dir, cfg)
		all := samples(1)
		for _, s := range all {
			if err := w.Write(s.topic, s.log, s.publish, s.data); err != nil {
				t.Fatal(err)
			}
		}
		for end := time.Now().Add(30 * time.Second); ; {
			r := openBag(t, dir)
			if r.Info().Count == int64(len(all)) {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %d messages after 30 s", storage, r.Info().Count)
			}
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	bad := map[string]func(*Config){
		`Storage is "rosbag1"`:    func(c *Config) { c.Storage = "rosbag1" },
		`Compression is "gzip"`:   func(c *Config) { c.Compression = "gzip" },
		`with mcap it can be one`: func(c *Config) { c.Compression = MessageZstd },
		`Distro is "foxy"`:        func(c *Config) { c.Distro = "foxy" },
		`ChunkBytes is 0`:         func(c *Config) { c.ChunkBytes = 0 },
		`none can be negative`:    func(c *Config) { c.FlushEvery = -1 },
		`Custom has 1 entries`:    func(c *Config) { c.Custom = map[string]string{"a": "b"} },
		`the folder is not empty`: func(*Config) {},
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, f := range bad {
		cfg := DefaultConfig()
		f(&cfg)
		if _, err := Create(dir, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %s", err, want)
		}
	}
	w := create(t, filepath.Join(t.TempDir(), "bag"), DefaultConfig())
	m := samples(1)[0]
	for _, c := range []struct {
		err  error
		want string
	}{
		{w.Write("/nothing", 1, 1, m.data), "was not added"},
		{w.Write("/reading", 1, 1, []byte("abcd")), "header of CDR"},
		{w.Write("/reading", -1, 1, m.data), "before 1970"},
		{w.AddTopic(Topic{Name: "x", Type: "a/msg/B"}), "starts with a /"},
		{w.AddTopic(Topic{Name: "/x", Type: "Odometry"}), "like nav_msgs"},
		{w.AddTopic(Topic{Name: "/reading", Type: "std_msgs/msg/Float32"}), "cannot become"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: want %s", c.err, c.want)
		}
	}
	if err := errors.Join(w.AddTopic(sampleTopics()[0]), w.Write(m.topic, m.log, m.publish, m.data), w.Flush(), w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := w.Write(m.topic, m.log, m.publish, m.data); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := w.Flush(); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
}

// A topic of a type that this program does not have is recorded with what its owner knows of it, or with nothing.
func TestForeignTypes(t *testing.T) {
	for _, storage := range []string{MCAP, SQLite} {
		cfg := DefaultConfig()
		cfg.Storage, cfg.Distro = storage, "jazzy"
		dir := filepath.Join(t.TempDir(), "bag")
		w, err := Create(dir, cfg)
		if err != nil {
			t.Fatal(err)
		}
		want := []Topic{
			{Name: "/a", Type: "their/msg/A", Format: "cdr", Definition: "int32 x\n", Encoding: "ros2msg", Hash: "RIHS01_" + strings.Repeat("5", 64)},
			{Name: "/b", Type: "their/msg/B", Format: "cdr"},
		}
		for _, topic := range want {
			if err := w.AddTopic(topic); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		r := openBag(t, dir)
		if d := cmp.Diff(want, r.Info().Topics, cmpopts.EquateEmpty()); d != "" || r.Info().Problems != nil {
			t.Error(d, r.Info().Problems)
		}
		if got := read(t, r, Query{}); got != nil {
			t.Error(got)
		}
	}
}
