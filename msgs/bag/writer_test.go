package bag

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// everyBag writes samples in every form and by our writer, and gives each bag to check. It has several files if split is set.
func everyBag(t *testing.T, all []sample, split bool, check func(t *testing.T, f form, dir string)) {
	t.Helper()
	t.Run("ours", func(t *testing.T) {
		maxBytes := int64(0)
		if split {
			maxBytes = 15_000
		}
		check(t, ours, write(t, maxBytes, 3000, all))
	})
	for _, f := range forms() {
		t.Run(f.String(), func(t *testing.T) {
			perFile := int64(0)
			if split {
				perFile = 100
			}
			check(t, f, f.write(t, sampleTopics(), slices.Values(all), perFile))
		})
	}
}

func TestRoundTrip(t *testing.T) {
	all := samples(300)
	everyBag(t, all, false, func(t *testing.T, f form, dir string) {
		r := openBag(t, dir)
		i := r.Info()
		if i.Problems != nil {
			t.Error(i.Problems)
		}
		version, _ := f.versions()
		distro := strings.Replace(f.distro, "ours", "humble", 1)
		if i.Storage != f.storage || i.Version != version || i.Distro != distro || i.Files[0].Compression != f.compression {
			t.Errorf("%+v", i)
		}
		if i.Count != int64(len(all)) || i.Start != epoch || i.End != epoch+299*20e6+0 {
			t.Errorf("%d messages from %d to %d", i.Count, i.Start, i.End)
		}
		equal(t, read(t, r, Query{}), byTime(all), f.storage)
		checkTopicsKept(t, i, f)
	})
}

// checkTopicsKept checks what a bag says of the topics of samples.
func checkTopicsKept(t *testing.T, i *Info, f form) {
	t.Helper()
	for _, want := range sampleTopics() {
		for _, s := range samples(300) {
			if s.topic == want.Name {
				want.Count++
			}
		}
		want.Format = "cdr"
		if f.storage == SQLite && f.distro == "humble" {
			want.Encoding, want.Definition, want.Hash = "", "", ""
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
	f, err := os.Open(filepath.Join(write(t, 0, 10_000, all), "bag_0.mcap"))
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

func TestSplit(t *testing.T) {
	all := samples(1000)
	everyBag(t, all, true, func(t *testing.T, f form, dir string) {
		r := openBag(t, dir)
		if n := len(r.Info().Files); f != ours && n != (len(all)+99)/100 || n < 5 || r.Info().Problems != nil {
			t.Errorf("%d files: %v", n, r.Info().Problems)
		}
		equal(t, read(t, r, Query{}), byTime(all), f.storage)
		start := epoch + 3_333_000_000
		var later []sample
		for _, s := range byTime(all) {
			if s.log >= start {
				later = append(later, s)
			}
		}
		equal(t, read(t, r, Query{Start: start}), later, f.storage)
		if err := os.Remove(filepath.Join(dir, metadataName)); err != nil {
			t.Fatal(err)
		}
		equal(t, read(t, openBag(t, dir), Query{}), byTime(all), f.storage)
	})
}

// A file ends once it has the bytes that it may have, with what is not compressed yet counted as it is.
func TestFilesBytes(t *testing.T) {
	const limit = 100_000
	all := samples(1000)
	size := func(i *Info) (n int64) {
		for _, f := range i.Files {
			n = max(n, f.Bytes)
		}
		return n
	}
	const small = limit / 5
	compressed := openBag(t, write(t, small, 5000, all)).Info()
	if n := len(compressed.Files); n < 3 || size(compressed) < small || size(compressed) > small+small/2 {
		t.Errorf("%d files of at most %d bytes", n, size(compressed))
	}
	whole := openBag(t, write(t, limit, chunkBytes, all)).Info() // no chunk is full before its file is
	if n := len(whole.Files); n < 7 || n > 12 {
		t.Errorf("%d files", n)
	}
}

// Messages that were written in any order are read in that of their times.
func TestOutOfOrder(t *testing.T) {
	all := samples(500)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	everyBag(t, all, true, func(t *testing.T, f form, dir string) {
		equal(t, read(t, openBag(t, dir), Query{}), byTime(all), f.storage)
	})
}

// After Flush a copy of the folder holds everything, whatever becomes of the writer.
func TestFlush(t *testing.T) {
	all := samples(200)
	dir := filepath.Join(t.TempDir(), "bag")
	w := begin(t, dir, 0, chunkBytes)
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
		equal(t, read(t, openBag(t, copied), Query{}), byTime(all[:i+1]), MCAP)
		equal(t, read(t, openBag(t, dir), Query{}), byTime(all[:i+1]), MCAP) // and while it is being written
	}
}

func TestWriterRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, 0); err == nil || !strings.Contains(err.Error(), "the folder is not empty") {
		t.Error(err)
	}
	if _, err := Create(filepath.Join(dir, "x"), 0); err == nil {
		t.Error("a bag was begun in a file")
	}
	w := begin(t, filepath.Join(t.TempDir(), "bag"), 0, chunkBytes)
	m := samples(1)[0]
	for _, c := range []struct {
		err  error
		want string
	}{
		{w.Write("/nothing", 1, 1, m.data), "was not added"},
		{w.Write("/reading", 1, 1, []byte("abcd")), "header of CDR"},
		{w.Write("/reading", -1, 1, m.data), "before 1970"},
		{w.AddTopic(Topic{Name: "x", Type: "a/msg/B"}), "starts with a /"},
		{w.AddTopic(Topic{Name: "/x", Type: "Odometry"}), "looks like nav_msgs"},
		{w.AddTopic(Topic{Name: "/reading", Type: "std_msgs/msg/Float32"}), "cannot get the type"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: want %s", c.err, c.want)
		}
	}
	if err := errors.Join(w.AddTopic(sampleTopics()[0]), w.Write(m.topic, m.log, m.publish, m.data), w.Flush(), w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := w.Write(m.topic, m.log, m.publish, m.data); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if err := w.Flush(); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// A topic of a type that this program does not have is recorded with what its owner knows of it, or with nothing.
func TestForeignTypes(t *testing.T) {
	want := []Topic{
		{Name: "/a", Type: "their/msg/A", Format: "cdr", Definition: "int32 x\n", Encoding: "ros2msg", Hash: "RIHS01_" + strings.Repeat("5", 64)},
		{Name: "/b", Type: "their/msg/B", Format: "cdr"},
	}
	dir := filepath.Join(t.TempDir(), "bag")
	w, err := Create(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, topic := range want {
		if err := w.AddTopic(topic); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{dir, form{SQLite, Uncompressed, "jazzy"}.write(t, want, slices.Values([]sample(nil)), 0)} {
		r := openBag(t, dir)
		if d := cmp.Diff(want, r.Info().Topics, cmpopts.EquateEmpty()); d != "" || r.Info().Problems != nil {
			t.Error(d, r.Info().Problems)
		}
		if got := read(t, r, Query{}); got != nil {
			t.Error(got)
		}
	}
}
