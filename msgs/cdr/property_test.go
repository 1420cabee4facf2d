// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package cdr

import (
	"bytes"
	"encoding/binary"
	"testing"

	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

// step is one value in a random message: how it is written, how it is read and compared, and how encoding/binary, which knows nothing of this package,
// lays it out.
type step struct {
	write func(*Writer)
	check func(*rapid.T, *Reader)
	plain func(buf []byte, order binary.AppendByteOrder) []byte
}

// pad aligns the way the rules say it, by counting.
func pad(buf []byte, size int) []byte {
	for len(buf)%size != 0 {
		buf = append(buf, 0)
	}
	return buf
}

func number[T numeric](size int, gen *rapid.Generator[T], write func(*Writer, T), read func(*Reader) T) func(*rapid.T) step {
	return func(rt *rapid.T) step {
		v := gen.Draw(rt, "number")
		return step{
			func(w *Writer) { write(w, v) },
			func(rt *rapid.T, r *Reader) {
				if got := read(r); got != v {
					rt.Fatalf("%v came back as %v", v, got)
				}
			},
			func(buf []byte, order binary.AppendByteOrder) []byte { return appendPlain(pad(buf, size), order, v) },
		}
	}
}

func appendPlain(buf []byte, order binary.AppendByteOrder, v any) []byte {
	buf, err := binary.Append(buf, order.(binary.ByteOrder), v)
	if err != nil {
		panic(err)
	}
	return buf
}

func sequence[T numeric](size int, gen *rapid.Generator[T]) func(*rapid.T) step {
	return func(rt *rapid.T) step {
		v := rapid.SliceOfN(gen, 0, 20).Draw(rt, "sequence")
		return step{
			func(w *Writer) { WriteSequence(w, v, Unbounded) },
			func(rt *rapid.T, r *Reader) {
				got := ReadSequence[T](r, nil, Unbounded)
				if len(got) != len(v) {
					rt.Fatalf("%d elements came back as %d", len(v), len(got))
				}
				for i := range v {
					if got[i] != v[i] {
						rt.Fatalf("%v came back as %v", v, got)
					}
				}
			},
			func(buf []byte, order binary.AppendByteOrder) []byte {
				buf = appendPlain(pad(buf, 4), order, uint32(len(v)))
				for _, x := range v {
					buf = appendPlain(pad(buf, size), order, x)
				}
				return buf
			},
		}
	}
}

func text(rt *rapid.T) step {
	v := rapid.String().Draw(rt, "string")
	return step{
		func(w *Writer) { w.String(v, Unbounded) },
		func(rt *rapid.T, r *Reader) {
			var got string
			if r.String(&got, Unbounded); got != v {
				rt.Fatalf("%q came back as %q", v, got)
			}
		},
		func(buf []byte, order binary.AppendByteOrder) []byte {
			return append(append(appendPlain(pad(buf, 4), order, uint32(len(v)+1)), v...), 0)
		},
	}
}

func TestAnyMessageInEitherOrder(t *testing.T) {
	kinds := []func(*rapid.T) step{
		text,
		number(1, rapid.Int8(), (*Writer).Int8, (*Reader).Int8), number(1, rapid.Uint8(), (*Writer).Uint8, (*Reader).Uint8),
		number(2, rapid.Int16(), (*Writer).Int16, (*Reader).Int16), number(2, rapid.Uint16(), (*Writer).Uint16, (*Reader).Uint16),
		number(4, rapid.Int32(), (*Writer).Int32, (*Reader).Int32), number(4, rapid.Uint32(), (*Writer).Uint32, (*Reader).Uint32),
		number(8, rapid.Int64(), (*Writer).Int64, (*Reader).Int64), number(8, rapid.Uint64(), (*Writer).Uint64, (*Reader).Uint64),
		number(4, rapid.Float32(), (*Writer).Float32, (*Reader).Float32), number(8, rapid.Float64(), (*Writer).Float64, (*Reader).Float64),
		sequence(1, rapid.Int8()), sequence(1, rapid.Uint8()), sequence(2, rapid.Int16()), sequence(2, rapid.Uint16()), sequence(4, rapid.Int32()),
		sequence(4, rapid.Uint32()), sequence(8, rapid.Int64()), sequence(8, rapid.Uint64()), sequence(4, rapid.Float32()), sequence(8, rapid.Float64()),
	}
	rapid.Check(t, func(rt *rapid.T) {
		var steps []step
		for range rapid.IntRange(0, 12).Draw(rt, "steps") {
			steps = append(steps, rapid.SampledFrom(kinds).Draw(rt, "kind")(rt))
		}
		w := NewWriter(nil)
		var little, big []byte
		for _, s := range steps {
			s.write(&w)
			little, big = s.plain(little, binary.LittleEndian), s.plain(big, binary.BigEndian)
		}
		if !bytes.Equal(w.Bytes()[4:], little) {
			rt.Fatalf("wrote %x, want %x", w.Bytes()[4:], little)
		}
		for _, src := range [][]byte{w.Bytes(), append(make([]byte, 4), big...)} {
			r := NewReader(src)
			for _, s := range steps {
				s.check(rt, &r)
			}
			must.OK(rt, r.Finish("random"))
		}
	})
}
