// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"

	"ugp_explorer/internal/testkit/must"
)

// readMCAP opens b as a file and reads all of it, also after damage.
func readMCAP(tb testing.TB, b []byte, limit int) (*mcapFile, []sample, []*Problem) {
	tb.Helper()
	m, err := openMCAP(tb.Context(), bytes.NewReader(b), int64(len(b)), limit)
	must.OK(tb, err)
	var all []sample
	var problems []*Problem
	for r, p := range m.messages(selection{topics: slices.Repeat([]bool{true}, len(m.c.topics)), first: math.MinInt64, last: math.MaxInt64}) {
		if p != nil {
			problems = append(problems, p)
			continue
		}
		all = append(all, sample{m.c.topics[r.topic].Name, r.log, bytes.Clone(r.data)})
	}
	return m, all, problems
}

// wholeBefore returns for each message the length that a file needs to hold it for certain: the end of its data, or of its chunk when that is compressed.
func wholeBefore(t *testing.T, b []byte, all []sample) []int {
	t.Helper()
	r, err := mcap.NewReader(bytes.NewReader(b))
	must.OK(t, err)
	defer r.Close()
	info, err := r.Info()
	must.OK(t, err)
	var ends []int
	for _, s := range all {
		end := bytes.Index(b, s.data) + len(s.data)
		for _, c := range info.ChunkIndexes {
			if c.Compression != mcap.CompressionNone && int64(c.MessageStartTime) <= s.log && s.log <= int64(c.MessageEndTime) {
				end = int(c.ChunkStartOffset + c.ChunkLength)
			}
		}
		ends = append(ends, end)
	}
	return ends
}

// A file that ends anywhere holds every message before its end, and says that it ends there.
func TestCutAnywhere(t *testing.T) {
	all := samples(25)
	for name, b := range map[string][]byte{
		"none": mcapBytes(t, uncompressed, all), "zstd": mcapBytes(t, chunkZstd, all), "lz4": mcapBytes(t, chunkLZ4, all), "loose": looseMCAP(t, all),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ends := wholeBefore(t, b, all)
			rng := rand.New(rand.NewPCG(5, 6))
			step := 20
			if name == "lz4" { // whose decoder takes long to make
				step = 200
			}
			for n := 0; n < len(b); n += 1 + rng.IntN(step) {
				m, got, problems := readMCAP(t, b[:n], maxChunk)
				want := 0
				for want < len(all) && ends[want] <= n {
					want++
				}
				if len(got) < want || (name == "none" || name == "loose") && len(got) != want {
					t.Fatalf("%d messages in the first %d bytes, want %d", len(got), n, want)
				}
				equal(t, got, all[:len(got)])
				said := says(m.c.problems, cutOff) || says(m.c.problems, "ends without a footer")
				if len(got) < len(all) && !said || problems != nil || m.c.count != int64(len(got)) {
					t.Fatalf("%d of %d messages in the first %d bytes: %v, then %v", len(got), len(all), n, m.c.problems, problems)
				}
			}
		})
	}
}

// A bag that holds a byte that is wrong yields no message that was not recorded: chunks have checksums.
func TestOneWrongByte(t *testing.T) {
	all := samples(25)
	recorded := map[string]bool{}
	for _, s := range all {
		recorded[string(s.data)] = true
	}
	for name, c := range map[string]compression{"none": uncompressed, "zstd": chunkZstd} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			whole := mcapBytes(t, c, all)
			rng := rand.New(rand.NewPCG(7, 8))
			for range 1000 {
				b := bytes.Clone(whole)
				at := rng.IntN(len(b))
				b[at] ^= 1 << rng.IntN(8)
				m, got, problems := readMCAP(t, b, maxChunk)
				if len(got) < len(all) && len(problems)+len(m.c.problems) == 0 {
					t.Fatalf("%d of %d messages and no problem with byte %d wrong", len(got), len(all), at)
				}
				for _, s := range got {
					if !recorded[string(s.data)] {
						t.Fatalf("a message that was not recorded with byte %d wrong", at)
					}
				}
			}
		})
	}
}

func TestWrongBytesSQLite(t *testing.T) {
	all := samples(100)
	path := filepath.Join(form{inSQLite, messageZstd, "humble"}.of(t, all), "bag_0.db3")
	whole, err := os.ReadFile(path)
	must.OK(t, err)
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 200 {
		b := bytes.Clone(whole)
		if i%2 == 0 {
			b = b[:rng.IntN(len(b))]
		} else {
			for range 1 + rng.IntN(30) {
				b[rng.IntN(len(b))] = byte(rng.Uint32())
			}
		}
		drain(t, b, path)
	}
}

// drain writes b to path, opens it as a bag and reads it; errors and problems are as good as messages.
func drain(tb testing.TB, b []byte, path string) (messages int) {
	tb.Helper()
	must.OK(tb, os.WriteFile(path, b, 0o666))
	r, err := open(tb.Context(), path, 1<<20)
	if err != nil {
		return 0
	}
	defer func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	}()
	for m, err := range r.Messages(Query{}) {
		if err == nil {
			messages++
			if len(m.Data) > 1<<20 {
				tb.Fatalf("a message of %d bytes", len(m.Data))
			}
		}
	}
	return messages
}

// A database of which pages are missing, wherever they lie, yields the messages of all others in order, and says how many are lost.
func TestDamagedSQLite(t *testing.T) {
	const page = 4096
	all := samples(2000)
	path := filepath.Join(form{inSQLite, uncompressed, "humble"}.of(t, all), "bag_0.db3")
	whole, err := os.ReadFile(path)
	must.OK(t, err)
	want := map[string]bool{}
	for _, s := range all {
		want[string(s.data)] = true
	}
	spoilt := func(from, to int) []byte { // in pages
		b := bytes.Clone(whole)
		copy(b[from*page:to*page], bytes.Repeat([]byte{0xff}, (to-from)*page))
		return b
	}
	pages := len(whole) / page
	rows := len(all) * page / len(whole) // about, in a page of messages
	for name, c := range map[string]struct {
		b    []byte
		lost int // pages, at most
	}{
		"the last page": {whole[:len(whole)-page], 1},
		"the last ten":  {whole[:len(whole)-10*page], 10},
		"a quarter":     {whole[:pages*3/4*page], pages - pages*3/4},
		"half":          {whole[:pages/2*page], pages - pages/2},
		"one amid":      {spoilt(pages/2, pages/2+1), 1},
		"twenty amid":   {spoilt(pages/3, pages/3+20), 20},
		"not whole":     {whole[:len(whole)-10*page-7], 11},
	} {
		must.OK(t, os.WriteFile(path, c.b, 0o666))
		r := openBag(t, path)
		got, last := 0, int64(0)
		for m, err := range r.Messages(Query{}) {
			if err != nil {
				t.Logf("%s: %v", name, err)
				continue
			}
			if !want[string(m.Data)] || m.LogTime < last {
				t.Fatalf("%s: message %d at %d after %d", name, got, m.LogTime, last)
			}
			got, last = got+1, m.LogTime
		}
		if least := len(all) - (c.lost+1)*2*rows; got < least || got > len(all) || int64(got) > r.Info().Count || !says(r.Info().Problems, damaged) {
			t.Errorf("%s: %d of %d messages, want at least %d: %v", name, got, len(all), least, r.Info().Problems)
		}
	}
}

// record appends an MCAP record.
func appendRecord(b []byte, op mcap.OpCode, body []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(append(b, byte(op)), uint64(len(body))), body...)
}

func appendChunk(b []byte, size uint64, compression string, length uint64, records []byte) []byte {
	c := binary.LittleEndian.AppendUint64(make([]byte, 16), size)
	c = binary.LittleEndian.AppendUint32(c, 0)
	c = append(binary.LittleEndian.AppendUint32(c, uint32(len(compression))), compression...)
	return appendRecord(b, mcap.OpChunk, append(binary.LittleEndian.AppendUint64(c, length), records...))
}

// Files that lie about lengths cost no more memory than they may.
func TestLies(t *testing.T) {
	e, err := zstd.NewWriter(nil)
	must.OK(t, err)
	bomb := e.EncodeAll(make([]byte, 64<<20), nil)
	long := binary.LittleEndian.AppendUint32(make([]byte, 16+8+4), 1<<31) // the length of a compression's name
	for name, records := range map[string][]byte{
		"a chunk of 2⁶² bytes":          appendChunk(nil, 1<<62, "zstd", uint64(len(bomb)), bomb),
		"more than it claims":           appendChunk(nil, 100, "zstd", uint64(len(bomb)), bomb),
		"more than allowed":             appendChunk(nil, 64<<20, "zstd", uint64(len(bomb)), bomb),
		"records of 2⁶³ bytes":          appendChunk(nil, 1<<19, "", 1<<63, []byte("x")),
		"lz4 of nothing":                appendChunk(nil, 1<<19, "lz4", 0, nil),
		"a long name of a compression":  appendRecord(nil, mcap.OpChunk, long),
		"a message of 2⁶³ bytes":        binary.LittleEndian.AppendUint64([]byte{byte(mcap.OpMessage)}, 1<<63),
		"an attachment of 2⁶⁴-1 bytes":  binary.LittleEndian.AppendUint64([]byte{byte(mcap.OpAttachment)}, math.MaxUint64),
		"a short message":               appendRecord(nil, mcap.OpMessage, make([]byte, 3)),
		"a schema of 2³² bytes":         appendRecord(nil, mcap.OpSchema, append([]byte{1, 0}, 0xff, 0xff, 0xff, 0xff)),
		"a channel with an endless map": appendRecord(nil, mcap.OpChannel, append(make([]byte, 12), 0xff, 0xff, 0xff, 0x7f)),
		"zeros":                         make([]byte, 1000),
	} {
		b := append(bytes.Clone(mcap.Magic), records...)
		for _, b := range [][]byte{b, append(bytes.Clone(b), footer(len(mcap.Magic))...)} {
			before := allocated()
			m, got, _ := readMCAP(t, b, 1<<20)
			if used := allocated() - before; used > 8<<20 {
				t.Errorf("%s: %d bytes allocated", name, used)
			}
			if len(got) > 0 || len(m.c.problems) == 0 {
				t.Errorf("%s: %d messages, %v", name, len(got), m.c.problems)
			}
		}
	}
}

// footer returns an end of file that claims an index at the given place.
func footer(at int) []byte {
	body := binary.LittleEndian.AppendUint64(nil, uint64(at))
	return append(appendRecord(nil, mcap.OpFooter, append(body, make([]byte, 12)...)), mcap.Magic...)
}
