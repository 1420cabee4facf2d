package bag

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

var zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}

// A file may unpack to unpackedBase bytes plus unpackedRatio times its size; more counts as an attack on the disk. Recordings reach a ratio of 100.
const (
	unpackedBase  = 1 << 30
	unpackedRatio = 1000
)

// unpackFile unpacks a zstd file to a temporary file, which the caller removes. If the file is cut off or damaged, it unpacks the part before that, and why says so.
func unpackFile(ctx context.Context, src *os.File, limit int) (path, why string, err error) {
	info, err := src.Stat()
	if err != nil {
		return "", "", err
	}
	d, err := newZstd(limit)
	if err != nil {
		return "", "", err
	}
	defer d.Close()
	if err := d.Reset(src); err != nil {
		return "", "", err
	}
	dst, err := os.CreateTemp("", "ugp_bag_*")
	if err != nil {
		return "", "", err
	}
	out := &failingWriter{ctx: ctx, w: dst}
	room := unpackedBase + unpackedRatio*info.Size()
	n, err := io.Copy(out, io.LimitReader(d, room))
	switch {
	case out.err != nil:
		return "", "", errors.Join(fmt.Errorf("unpacking %s to the folder for temporary files: %w", src.Name(), out.err), dst.Close(), os.Remove(dst.Name()))
	case err != nil:
		why = fmt.Sprintf("the file is cut off or damaged; its first %d uncompressed bytes were read: %v", n, err)
	case n == room:
		why = fmt.Sprintf("the file unpacks to more than %d bytes, %d times its size; the rest is not read", n, n/max(info.Size(), 1))
	}
	if err := dst.Close(); err != nil {
		return "", "", errors.Join(err, os.Remove(dst.Name()))
	}
	return dst.Name(), why, nil
}

// failingWriter fails when its context ends, and remembers its own errors, so that they can be told from the reader's.
type failingWriter struct {
	ctx context.Context
	w   io.Writer
	err error
}

func (f *failingWriter) Write(b []byte) (int, error) {
	if f.err = f.ctx.Err(); f.err != nil {
		return 0, f.err
	}
	var n int
	n, f.err = f.w.Write(b)
	return n, f.err
}

// messages uncompresses messages that are compressed one by one. The zero value is ready. Not safe for concurrent use.
type messages struct {
	limit int
	zstd  *zstd.Decoder
	buf   []byte
}

// compressed reports whether data is not CDR but zstd; CDR starts with a zero.
func compressed(data []byte) bool { return bytes.HasPrefix(data, zstdMagic) }

// unpack returns what data holds, valid until the next call.
func (m *messages) unpack(data []byte) ([]byte, error) {
	if m.zstd == nil {
		d, err := newZstd(m.limit)
		if err != nil {
			return nil, err
		}
		m.zstd = d
	}
	b, err := m.zstd.DecodeAll(data, m.buf[:0])
	m.buf = b
	return b, err
}

func (m *messages) close() {
	if m.zstd != nil {
		m.zstd.Close()
		m.zstd = nil
	}
}
