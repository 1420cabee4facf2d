package bag

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/foxglove/mcap/go/mcap"
)

// extensions are the extensions of bag files.
var extensions = []string{".mcap", ".db3", ".mcap.zstd", ".db3.zstd"}

// find returns the files of the bag at path in order, and its metadata.yaml if it can be read.
func find(path string) (files []string, meta *metadata, problems []Problem, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, nil, err
	}
	if !info.IsDir() {
		if filepath.Base(path) != metadataName {
			return []string{path}, nil, nil, nil
		}
		path = filepath.Dir(path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, e := range entries {
		if !e.IsDir() && slices.ContainsFunc(extensions, func(x string) bool { return strings.HasSuffix(e.Name(), x) }) {
			files = append(files, e.Name())
		}
	}
	// A writer that stops while it compresses a file leaves both.
	files = slices.DeleteFunc(files, func(f string) bool {
		plain, packed := strings.CutSuffix(f, ".zstd")
		return packed && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == plain })
	})
	slices.SortStableFunc(files, compareParts)
	meta, err = readMetadata(filepath.Join(path, metadataName))
	switch {
	case errors.Is(err, os.ErrNotExist):
		problems = append(problems, Problem{Text: "metadata.yaml is missing, as after a recording that was killed"})
	case err != nil:
		problems = append(problems, Problem{File: metadataName, Text: err.Error()})
	default:
		var missing []Problem
		files, missing = listed(path, meta, files)
		problems = append(problems, missing...)
	}
	for i, f := range files {
		files[i] = filepath.Join(path, f)
	}
	if len(files) == 0 {
		return nil, nil, nil, fmt.Errorf("%s: the folder contains no bag file; bag files end in %s", path, strings.Join(extensions, ", "))
	}
	return files, meta, problems, nil
}

// listed returns those of the existing files that metadata.yaml lists. Versions before 5 put the folder's name in front, and a file may have been compressed or unpacked
// since.
func listed(dir string, meta *metadata, there []string) (files []string, problems []Problem) {
	for _, p := range meta.Paths {
		name := filepath.Base(filepath.FromSlash(p))
		i := slices.IndexFunc(there, func(f string) bool { return strings.TrimSuffix(f, ".zstd") == strings.TrimSuffix(name, ".zstd") })
		switch {
		case slices.Contains(there, name):
			files = append(files, name)
		case i >= 0:
			files = append(files, there[i])
		default: // with an extension that is not in extensions
			if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
				problems = append(problems, Problem{File: name, Text: "the file is missing although metadata.yaml lists it"})
				continue
			}
			files = append(files, name)
		}
	}
	for _, f := range there {
		if !slices.Contains(files, f) {
			problems = append(problems, Problem{File: f, Text: "the file is not read because metadata.yaml does not list it"})
		}
	}
	return files, problems
}

// dated matches the names of the parts that rosbag2 writes from Lyrical on: 2_name_2026_05_01-10_30_00.mcap.
var dated = regexp.MustCompile(`^(\d+)_(.*)_\d{4}_\d{2}_\d{2}-\d{2}_\d{2}_\d{2}$`)

// compareParts sorts the parts of a bag by their numbers: name_2.mcap comes before name_10.mcap.
func compareParts(a, b string) int {
	nameA, numberA := part(a)
	nameB, numberB := part(b)
	return cmp.Or(cmp.Compare(nameA, nameB), cmp.Compare(numberA, numberB), cmp.Compare(a, b))
}

func part(name string) (prefix string, number int) {
	stem, _, _ := strings.Cut(name, ".")
	if m := dated.FindStringSubmatch(stem); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return m[2], n
		}
	}
	i := strings.LastIndexByte(stem, '_')
	if i < 0 {
		return stem, -1
	}
	n, err := strconv.Atoi(stem[i+1:])
	if err != nil {
		return stem, -1
	}
	return stem[:i], n
}

// openFile opens one file of a bag. The file's contents decide its format, not its name. why says what is wrong with the file as a whole; the storage is nil if it is not a
// bag.
func openFile(ctx context.Context, path string, limit int) (s storage, why string, err error) {
	magic, err := firstBytes(path)
	if err != nil {
		return nil, "", err
	}
	if !bytes.HasPrefix(magic, zstdMagic) {
		return openPlain(ctx, path, magic, limit)
	}
	tmp, why, err := unpackFile(ctx, path, limit)
	if err != nil {
		return nil, "", err
	}
	if magic, err = firstBytes(tmp); err == nil {
		var more string
		s, more, err = openPlain(ctx, tmp, magic, limit)
		why = cmp.Or(why, more)
	}
	if s == nil {
		return nil, why, errors.Join(err, os.Remove(tmp))
	}
	return &unpacked{s, tmp}, why, err
}

// unpacked is a file that was unpacked to a temporary one.
type unpacked struct {
	storage
	tmp string
}

func (u *unpacked) close() error { return errors.Join(u.storage.close(), os.Remove(u.tmp)) }

// openPlain opens a file that is not compressed as a whole and begins with some bytes.
func openPlain(ctx context.Context, path string, magic []byte, limit int) (storage, string, error) {
	switch {
	case len(magic) == 0:
		return &mcapFile{}, "the file is empty", nil
	case isMagic(magic, mcap.Magic):
		f, err := os.Open(path)
		if err != nil {
			return nil, "", err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, "", errors.Join(err, f.Close())
		}
		m, err := openMCAP(untilDone{ctx, f}, info.Size(), limit)
		if err != nil {
			return nil, "", errors.Join(err, f.Close())
		}
		m.r, m.closer = f, f
		return m, "", nil
	case isMagic(magic, sqliteMagic):
		s, err := openSQLite(ctx, path, limit)
		if err != nil {
			return nil, "", err
		}
		return s, "", nil
	}
	return nil, "the file is neither MCAP nor SQLite, nor one of them compressed once with zstd", nil
}

// firstBytes returns those that tell the formats apart, fewer of a shorter file.
func firstBytes(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, len(sqliteMagic))
	n, err := io.ReadFull(f, head)
	return head[:n], errors.Join(ignoreShort(err), f.Close())
}

// isMagic reports whether a file that begins with head has the magic, or is cut off in it.
func isMagic(head, magic []byte) bool {
	return bytes.HasPrefix(head, magic) || bytes.HasPrefix(magic, head)
}

// untilDone reads until a context ends.
type untilDone struct {
	ctx context.Context
	r   io.ReaderAt
}

func (u untilDone) ReadAt(b []byte, at int64) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.ReadAt(b, at)
}
