package bag

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/zstd"
)

// newZstd returns a decoder that works in the caller's goroutine and whose data and window have at most limit bytes.
func newZstd(limit int) (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(limit)),
		zstd.WithDecoderMaxWindow(uint64(max(limit, zstd.MinWindowSize))))
}

// unpackFile unpacks a zstd file to a temporary file, which the caller removes. If the file is cut off or damaged, it unpacks the part before that, and why says so.
func unpackFile(ctx context.Context, name string, limit int) (path, why string, err error) {
	src, err := os.Open(name)
	if err != nil {
		return "", "", err
	}
	defer src.Close()
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
	n, err := io.Copy(out, d)
	if out.err != nil {
		return "", "", errors.Join(fmt.Errorf("unpacking %s to the folder for temporary files: %w", name, out.err), dst.Close(), os.Remove(dst.Name()))
	}
	if err != nil {
		why = fmt.Sprintf("the file is cut off or damaged; its first %d uncompressed bytes were read: %v", n, err)
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
