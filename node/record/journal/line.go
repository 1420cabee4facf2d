package journal

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"

	"ugp_explorer/node/record"
)

// castagnoli is the CRC-32C table for the checksums of lines.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

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
	from := len(dst)
	dst = fmt.Appendf(dst, `{"n":%d,"%s":%s`, number, name(entry), text)
	dst = fmt.Appendf(dst, sealFormat, crc32.Checksum(dst[from:], castagnoli))
	if len(dst)-from > MostLine {
		return dst[:from], fmt.Errorf("%s: %w", name(entry), errLong)
	}
	return append(dst, '\n'), nil
}

// errChecksum is the error for a damaged line.
var errChecksum = errors.New("its checksum is wrong")

// parseLine reads a line without its newline.
func parseLine(line []byte) (e Entry, err error) {
	at := len(line) - sealLength
	if at < 0 || !bytes.Equal(line[at:], fmt.Appendf(nil, sealFormat, crc32.Checksum(line[:at], castagnoli))) {
		return e, errChecksum
	}
	whole := append(append([]byte(nil), line[:at]...), '}')
	return e, record.Unmarshal(whole, &e)
}
