// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/foxglove/mcap/go/mcap"

	"ugp_explorer/internal/testkit/must"
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
		checkProblems(t, i)
		if i.Count != int64(len(all)) || i.Start != epoch || i.End != epoch+299*20e6+0 {
			t.Errorf("%d messages from %d to %d", i.Count, i.Start, i.End)
		}
		equal(t, read(t, r, Query{}), byTime(all))
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
		if f == ours && want.Count == 0 { // it has the topics with messages
			continue
		}
		if f.storage == inSQLite && f.distro == "humble" {
			want.encoding, want.definition, want.hash = "", "", ""
		}
		var got Topic
		for _, topic := range i.Topics {
			if topic.Name == want.Name {
				got = topic
			}
		}
		if got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
}

// What the writer writes is read by others' readers, too.
func TestOthersRead(t *testing.T) {
	all := samples(300)
	f, err := os.Open(filepath.Join(write(t, 0, 10_000, all), "bag_0.mcap"))
	must.OK(t, err)
	defer f.Close()
	r, err := mcap.NewReader(f)
	must.OK(t, err)
	defer r.Close()
	info, err := r.Info()
	must.OK(t, err)
	if r.Header().Profile != "ros2" || info.Statistics.MessageCount != uint64(len(all)) || info.Statistics.MessageStartTime != uint64(epoch) || len(info.ChunkIndexes) < 3 {
		t.Errorf("%+v %+v", r.Header(), info.Statistics)
	}
	it, err := r.Messages(mcap.InOrder(mcap.LogTimeOrder))
	must.OK(t, err)
	var got []sample
	for {
		_, c, m, err := it.NextInto(nil)
		if errors.Is(err, io.EOF) {
			break
		}
		must.OK(t, err)
		got = append(got, sample{c.Topic, int64(m.LogTime), m.Data})
	}
	equal(t, got, byTime(all))
	checkLexer(t, f)
}

// checkLexer goes through the file as a stream, with every checksum checked.
func checkLexer(t *testing.T, f *os.File) {
	t.Helper()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	l, err := mcap.NewLexer(f, &mcap.LexerOptions{ValidateChunkCRCs: true})
	must.OK(t, err)
	for {
		token, _, err := l.Next(nil)
		must.OK(t, err)
		if token == mcap.TokenFooter {
			return
		}
	}
}

// A file ends once it has the bytes that it may have, with what is not compressed yet counted as it is.
func TestFilesBytes(t *testing.T) {
	const limit = 100_000
	all := samples(1000)
	sizes := func(dir string) (files int, most int64) {
		paths, _ := filepath.Glob(filepath.Join(dir, "*.mcap"))
		for _, p := range paths {
			info, err := os.Stat(p)
			must.OK(t, err)
			most = max(most, info.Size())
		}
		return len(paths), most
	}
	const small = limit / 5
	if n, most := sizes(write(t, small, 5000, all)); n < 3 || most < small || most > small+small/2 {
		t.Errorf("%d files of at most %d bytes", n, most)
	}
	if n, _ := sizes(write(t, limit, chunkBytes, all)); n < 7 || n > 12 { // no chunk is full before its file is
		t.Errorf("%d files", n)
	}
}

// Messages that were written in any order, into several files, are read in that of their times.
func TestSplitOutOfOrder(t *testing.T) {
	all := samples(500)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	start := epoch + 3_333_000_000
	var later []sample
	for _, s := range byTime(all) {
		if s.log >= start {
			later = append(later, s)
		}
	}
	everyBag(t, all, true, func(t *testing.T, f form, dir string) {
		r := openBag(t, dir)
		if n := len(r.files); f != ours && n != (len(all)+99)/100 || n < 5 || r.Info().Problems != nil {
			t.Errorf("%d files: %v", n, r.Info().Problems)
		}
		equal(t, read(t, r, Query{}), byTime(all))
		equal(t, read(t, r, Query{Start: start}), later)
		must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
		equal(t, read(t, openBag(t, dir), Query{}), byTime(all))
	})
}
