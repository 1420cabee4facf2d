// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"

	"ugp_explorer/node/record"
)

// castagnoli is the CRC-32C table for the checksums of lines.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// mostLine is the longest line that a journal has, bytes: four times the first one of a mission
// with 10,000 earlier samples. The file itself has no limit, since it grows as long as its mission
// lasts.
const mostLine = 16 << 20

// errLong is the error for an entry or a line that is longer than mostLine.
var errLong = fmt.Errorf("it is longer than %d MiB: it is not a line of a journal", mostLine>>20)

// The seal is the end of a line before its newline: the checksum of everything before it.
const (
	sealFormat = `,"crc32c":"%08x"}`
	sealLength = len(`,"crc32c":"01234567"}`)
)

// appendLine appends the line of an entry with its newline.
func appendLine(dst []byte, number int, entry any) ([]byte, error) {
	text, err := record.Marshal(entry)
	if err != nil {
		return dst, err
	}
	from, name := len(dst), names[reflect.TypeOf(entry)]
	if name == "" {
		panic("journal: not an entry")
	}
	dst = fmt.Appendf(dst, `{"n":%d,"%s":%s`, number, name, text)
	dst = fmt.Appendf(dst, sealFormat, crc32.Checksum(dst[from:], castagnoli))
	if len(dst)-from > mostLine {
		return dst[:from], fmt.Errorf("%s: %w", name, errLong)
	}
	return append(dst, '\n'), nil
}

// errChecksum is the error for a damaged line.
var errChecksum = errors.New("its checksum is wrong")

// parseLine reads a line without its newline.
func parseLine(line []byte) (e lineEntry, err error) {
	at := len(line) - sealLength
	if at < 0 || !bytes.Equal(line[at:], fmt.Appendf(nil, sealFormat, crc32.Checksum(line[:at], castagnoli))) {
		return e, errChecksum
	}
	whole := append(append([]byte(nil), line[:at]...), '}')
	err = record.Unmarshal(whole, &e)
	return e, err
}
