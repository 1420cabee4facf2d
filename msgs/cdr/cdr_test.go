package cdr

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample holds each kind of field once. Its bytes in layout were worked out by hand from the rules (OMG DDSI-RTPS 10.2, XCDR1): they are the independent
// side of the table below.
type sample struct {
	B    bool
	U8   uint8
	U16  uint16
	S    string
	I64  int64
	F32s []float32
	F64s []float64
	None []float64
	Bs   []bool
	Ss   []string
	Arr  [3]int16
	Last int8
}

func (m *sample) marshal(w *Writer) {
	w.Bool(m.B)
	w.Uint8(m.U8)
	w.Uint16(m.U16)
	w.String(m.S, Unbounded)
	w.Int64(m.I64)
	WriteSequence(w, m.F32s, 2)
	WriteSequence(w, m.F64s, Unbounded)
	WriteSequence(w, m.None, Unbounded)
	WriteBools(w, m.Bs, Unbounded)
	WriteStrings(w, m.Ss, Unbounded, 4)
	WriteArray(w, m.Arr[:])
	w.Int8(m.Last)
}

func (m *sample) decode(r *Reader) {
	m.B = r.Bool()
	m.U8 = r.Uint8()
	m.U16 = r.Uint16()
	r.String(&m.S, Unbounded)
	m.I64 = r.Int64()
	m.F32s = ReadSequence(r, m.F32s, 2)
	m.F64s = ReadSequence(r, m.F64s, Unbounded)
	m.None = ReadSequence(r, m.None, Unbounded)
	m.Bs = ReadBools(r, m.Bs, Unbounded)
	m.Ss = ReadStrings(r, m.Ss, Unbounded, 4)
	ReadArray(r, m.Arr[:])
	m.Last = r.Int8()
}

func testSample() sample {
	return sample{true, 0xab, 0x1234, "hé", -2, []float32{1.5}, []float64{-2.25}, nil, []bool{true, false}, []string{"", "abc"}, [3]int16{1, -1, 256}, -5}
}

// Offsets count from the byte after the encapsulation.
var layout = map[string]string{
	"little": "\x00\x01\x00\x00" +
		"\x01\xab\x34\x12" + // 0: bool, uint8, uint16
		"\x04\x00\x00\x00h\xc3\xa9\x00" + // 4: 4 bytes with the NUL
		"\x00\x00\x00\x00" + // 12: to a multiple of 8
		"\xfe\xff\xff\xff\xff\xff\xff\xff" + // 16
		"\x01\x00\x00\x00\x00\x00\xc0\x3f" + // 24: one float32
		"\x01\x00\x00\x00\x00\x00\x00\x00" + // 32: one float64, then to a multiple of 8
		"\x00\x00\x00\x00\x00\x00\x02\xc0" + // 40
		"\x00\x00\x00\x00" + // 48: no float64, hence no padding for one
		"\x02\x00\x00\x00\x01\x00" + // 52: two bools
		"\x00\x00" + // 58
		"\x02\x00\x00\x00" + // 60: two strings
		"\x01\x00\x00\x00\x00" + // 64: the empty string
		"\x00\x00\x00" + // 69
		"\x04\x00\x00\x00abc\x00" + // 72
		"\x01\x00\xff\xff\x00\x01" + // 80: an array has no count
		"\xfb", // 86
	"big": "\x00\x00\x00\x00" +
		"\x01\xab\x12\x34" +
		"\x00\x00\x00\x04h\xc3\xa9\x00" +
		"\x00\x00\x00\x00" +
		"\xff\xff\xff\xff\xff\xff\xff\xfe" +
		"\x00\x00\x00\x01\x3f\xc0\x00\x00" +
		"\x00\x00\x00\x01\x00\x00\x00\x00" +
		"\xc0\x02\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x00" +
		"\x00\x00\x00\x02\x01\x00" +
		"\x00\x00" +
		"\x00\x00\x00\x02" +
		"\x00\x00\x00\x01\x00" +
		"\x00\x00\x00" +
		"\x00\x00\x00\x04abc\x00" +
		"\x00\x01\xff\xff\x01\x00" +
		"\xfb",
}

func TestLayoutBothWays(t *testing.T) {
	m := testSample()
	for _, prefix := range []string{"", "x", "1234567"} { // what stands before must not count for alignment
		w := NewWriter([]byte(prefix))
		m.marshal(&w)
		if got := w.Bytes()[len(prefix):]; string(got) != layout["little"] {
			t.Errorf("after %q: wrote\n%x, want\n%x", prefix, got, layout["little"])
		}
	}
	for order, bytes := range layout {
		want := []byte(bytes)
		var got sample
		r := NewReader(want)
		got.decode(&r)
		if err := r.Finish("sample"); err != nil {
			t.Error(err)
		}
		if d := cmp.Diff(m, got); d != "" {
			t.Errorf("%s endian: (-want +got)\n%s", order, d)
		}
	}
}

func TestErrorsSayWhereAndWhat(t *testing.T) {
	const header = "\x00\x01\x00\x00"
	text := func(r *Reader) { var s string; r.String(&s, 3) }
	for _, c := range []struct {
		src  string
		read func(*Reader)
		want string
	}{
		{"\x00\x01\x00", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 0: encapsulation header needs 4 bytes with its padding, 3 are left"},
		{"\x00\x07\x00\x00\x01", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 0: encapsulation is 0x0007, only CDR (0x0000 big endian, 0x0001 little endian) is known"},
		{"\x01\x01\x00\x00\x01", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 0: encapsulation is 0x0101, only CDR (0x0000 big endian, 0x0001 little endian) is known"},
		{header, func(r *Reader) { r.Uint8() }, "cdr: T: at byte 4: 8-bit integer needs 1 bytes with its padding, 0 are left"},
		{header + "\x01\x02\x03", func(r *Reader) { r.Uint8(); r.Uint16() }, "cdr: T: at byte 5: 16-bit integer needs 3 bytes with its padding, 2 are left"},
		{header + "\x01\x02\x03", func(r *Reader) { r.Float32() }, "cdr: T: at byte 4: 32-bit number needs 4 bytes with its padding, 3 are left"},
		{header + "\x01\x02\x03\x04", func(r *Reader) { r.Float64() }, "cdr: T: at byte 4: 64-bit number needs 8 bytes with its padding, 4 are left"},
		{header + "\x02", func(r *Reader) { r.Bool() }, "cdr: T: at byte 4: bool is 2, neither 0 nor 1"},
		{header + "\x02\x00", text, "cdr: T: at byte 4: string length needs 4 bytes with its padding, 2 are left"},
		{header + "\x05\x00\x00\x00abc\x00", text, "cdr: T: at byte 8: string needs 5 bytes with its padding, 4 are left"},
		{header + "\x03\x00\x00\x00abc\x00", text, "cdr: T: at byte 10: string ends with byte 0x63, not with NUL"},
		{header + "\x05\x00\x00\x00abcd\x00", text, "cdr: T: at byte 8: string of 4, its type allows 3"},
		{header + "\xff\xff\xff\xff", func(r *Reader) { ReadSequence[float64](r, nil, Unbounded) }, "cdr: T: at byte 4: sequence of 4294967295 elements of at least 8 bytes each, 0 bytes are left"},
		{header + "\x03\x00\x00\x00abc", func(r *Reader) { ReadSequence[uint8](r, nil, 2) }, "cdr: T: at byte 4: sequence of 3, its type allows 2"},
		// One float64 is there by count, but not after the padding that it needs.
		{header + "\x01\x00\x00\x0012345678", func(r *Reader) { ReadSequence[float64](r, nil, 2) }, "cdr: T: at byte 8: array needs 12 bytes with its padding, 8 are left"},
		{header + "\x01", func(r *Reader) { ReadArray(r, make([]int32, 3)) }, "cdr: T: at byte 4: array needs 12 bytes with its padding, 1 are left"},
		{header + "\x01abcd", func(r *Reader) { r.Uint8() }, "cdr: T: at byte 5: 4 bytes left over, at most 3 bytes of padding are allowed"},
		// The first error stays.
		{header + "\x02\x02\x02", func(r *Reader) { r.Bool(); r.Bool(); r.Uint64() }, "cdr: T: at byte 4: bool is 2, neither 0 nor 1"},
	} {
		r := NewReader([]byte(c.src))
		c.read(&r)
		err := r.Finish("T")
		if err == nil || err.Error() != c.want {
			t.Errorf("%x: got %v, want %s", c.src, err, c.want)
		}
	}
}

func TestNothingIsReadAfterAnError(t *testing.T) {
	r := NewReader([]byte("\x00\x01\x00\x00\x02\x01\x01\x01\x01\x00\x00\x00\x01"))
	r.Bool()
	s, list, array := "kept", []uint8{7}, []uint16{7}
	r.String(&s, Unbounded)
	ReadArray(&r, array)
	if got := ReadSequence(&r, list, Unbounded); len(got) != 0 {
		t.Errorf("a sequence of %d", len(got))
	}
	r.Empty()
	if s != "kept" || array[0] != 7 || r.Uint8() != 0 || r.Int64() != 0 || r.Bool() || r.Uint16() != 0 || r.Length(1, Unbounded) != 0 {
		t.Error("something was read after an error")
	}
}

func TestLeniency(t *testing.T) {
	const header = "\x00\x01\x00\x00"
	for padding := range 4 {
		r := NewReader([]byte(header + "\x05" + strings.Repeat("\xff", padding)))
		if v := r.Uint8(); v != 5 || r.Finish("T") != nil {
			t.Errorf("%d bytes of padding: %d, %v", padding, v, r.Finish("T"))
		}
	}
	s := "before"
	r := NewReader([]byte(header + "\x00\x00\x00\x00"))
	if r.String(&s, Unbounded); s != "" || r.Finish("T") != nil {
		t.Errorf("a string of length 0: %q, %v", s, r.Finish("T"))
	}
	r = NewReader([]byte(header + "\x05\x00\x01\x00\x02\x00\x00"))
	if !r.More(1) || r.Uint8() != 5 || !r.More(2) || r.More(4) || r.Uint16() != 1 || !r.More(2) || r.More(4) {
		t.Error("More counts wrong")
	}
	if r.Rest(); r.More(1) || r.Finish("T") != nil || r.Uint8() != 0 || r.Finish("T") == nil {
		t.Error("after the rest there is something, or nothing wrong")
	}
	for _, src := range []string{header, header + "\x00", header + "\x00\x00\x00\x00"} {
		r := NewReader([]byte(src))
		if r.Empty(); r.Finish("T") != nil {
			t.Errorf("empty message %x: %v", src, r.Finish("T"))
		}
	}
}

func TestWriterPanicsOnBounds(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(*Writer)
		want string
	}{
		"sequence": {func(w *Writer) { WriteSequence(w, make([]uint8, 3), 2) }, panicTooLong},
		"bools":    {func(w *Writer) { WriteBools(w, make([]bool, 3), 2) }, panicTooLong},
		"strings":  {func(w *Writer) { WriteStrings(w, []string{"abc"}, 1, 2) }, panicString},
		"string":   {func(w *Writer) { w.String("abc", 2) }, panicString},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("%s: recovered %v, want %q", name, got, c.want)
				}
			}()
			w := NewWriter(nil)
			c.f(&w)
		}()
	}
}

func TestSlicesAndStringsServeAgain(t *testing.T) {
	src := []byte(layout["little"])
	var m sample
	read := func() {
		r := NewReader(src)
		m.decode(&r)
		if err := r.Finish("sample"); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if n := testing.AllocsPerRun(10, read); n != 0 {
		t.Errorf("%v allocations", n)
	}
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(10, func() { w := NewWriter(buf); m.marshal(&w) }); n != 0 {
		t.Errorf("%v allocations in writing", n)
	}
	clear(src) // nothing that was read may point into it
	if d := cmp.Diff(testSample(), m); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestResizeKeepsWhatElementsHold(t *testing.T) {
	s := [][]int{{1}, {2}, {3}}
	s = Resize(s, 1)
	if grown := Resize(s, 3); &grown[2][0] != &s[:3][2][0] {
		t.Error("an element between length and capacity was lost")
	}
	if grown := Resize(s, 5); len(grown) != 5 || !slices.Equal(grown[2], []int{3}) || grown[4] != nil {
		t.Errorf("grown to %v", grown)
	}
	if got := Resize[int](nil, 0); got != nil {
		t.Errorf("nil became %v", got)
	}
}

// NaN with its payload, infinities and -0 are bits to CDR.
func TestFloatsKeepTheirBits(t *testing.T) {
	bits := []uint64{0x7ff8dead0000beef, 0x7ff0000000000000, 0xfff0000000000000, 0x8000000000000000, 1}
	for _, b := range bits {
		w := NewWriter(nil)
		w.Float64(math.Float64frombits(b))
		WriteArray(&w, []float64{math.Float64frombits(b)})
		big := binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(make([]byte, 4), b), b)
		for _, src := range [][]byte{w.Bytes(), big} {
			r := NewReader(src)
			var array [1]float64
			one := math.Float64bits(r.Float64())
			ReadArray(&r, array[:])
			if one != b || math.Float64bits(array[0]) != b {
				t.Errorf("%016x came back as %016x and %016x", b, one, math.Float64bits(array[0]))
			}
		}
	}
}
