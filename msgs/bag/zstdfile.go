// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	defer context.AfterFunc(ctx, func() { src.Close() })()
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
	n, err := io.Copy(dst, d)
	if failure := cmp.Or(ctx.Err(), dst.Close()); failure != nil || errors.As(err, new(*fs.PathError)) { // neither is the file's contents
		return "", "", errors.Join(fmt.Errorf("unpacking %s to the folder for temporary files: %w", name, cmp.Or(failure, err)), os.Remove(dst.Name()))
	}
	if err != nil {
		why = fmt.Sprintf("the file is cut off or damaged; its first %d uncompressed bytes were read: %v", n, err)
	}
	return dst.Name(), why, nil
}
