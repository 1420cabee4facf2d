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

func isBagFile(name string) bool {
	return slices.ContainsFunc(extensions, func(e string) bool { return strings.HasSuffix(name, e) })
}

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
		if !e.IsDir() && isBagFile(e.Name()) {
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
		problems = append(problems, Problem{Kind: NoMetadata, Text: "metadata.yaml is missing, as after a recording that was killed"})
	case err != nil:
		problems = append(problems, Problem{Kind: BadMetadata, File: metadataName, Text: err.Error()})
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
				problems = append(problems, Problem{Kind: MissingFile, File: name, Text: "the file is missing although metadata.yaml lists it"})
				continue
			}
			files = append(files, name)
		}
	}
	for _, f := range there {
		if !slices.Contains(files, f) {
			problems = append(problems, Problem{Kind: UnlistedFile, File: f, Text: "the file is not read because metadata.yaml does not list it"})
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

// openFile opens one file of a bag. The file's contents decide its format, not its name. The storage is nil if the file is not a bag.
func openFile(ctx context.Context, path string, limit int) (storage, File, []Problem, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, File{}, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, File{}, nil, errors.Join(err, f.Close())
	}
	file := File{Path: path, Bytes: info.Size()}
	head := make([]byte, len(sqliteMagic))
	n, err := f.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, file, nil, errors.Join(err, f.Close())
	}
	head = head[:n]
	starts := func(magic []byte) bool { return bytes.HasPrefix(head, magic) || n > 0 && bytes.HasPrefix(magic, head) }
	switch {
	case starts(mcap.Magic):
		s, err := openMCAP(untilDone{ctx, f}, info.Size(), limit, f)
		if err != nil {
			return nil, file, nil, errors.Join(err, f.Close())
		}
		s.r = f
		return s, file, nil, nil
	case starts(sqliteMagic):
		if err := f.Close(); err != nil {
			return nil, file, nil, err
		}
		s, err := openSQLite(ctx, path, limit)
		if err != nil {
			return nil, file, nil, err
		}
		return s, file, nil, nil
	case starts(zstdMagic):
		s, problems, err := openPacked(ctx, f, limit)
		return s, file, problems, errors.Join(err, f.Close())
	case n == 0:
		return nil, file, []Problem{{Kind: Cut, File: filepath.Base(path), Text: "the file is empty"}}, f.Close()
	}
	return nil, file, []Problem{{Kind: NotABag, File: filepath.Base(path), Lost: info.Size(), Text: "the file is neither MCAP nor SQLite, nor one of them compressed with zstd"}}, f.Close()
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

// isPacked reports whether a file is compressed with zstd as a whole.
func isPacked(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	head := make([]byte, len(zstdMagic))
	_, err = io.ReadFull(f, head)
	return bytes.Equal(head, zstdMagic), errors.Join(ignoreShort(err), f.Close())
}

// openPacked opens a file that is compressed as a whole.
func openPacked(ctx context.Context, f *os.File, limit int) (storage, []Problem, error) {
	tmp, why, err := unpackFile(ctx, f, limit)
	if err != nil {
		return nil, nil, err
	}
	var problems []Problem
	if why != "" {
		problems = append(problems, Problem{Kind: Cut, File: filepath.Base(f.Name()), Text: why})
	}
	twice, err := isPacked(tmp)
	if err != nil || twice { // each layer may be a thousand times larger than the one around it
		if twice {
			problems = append(problems, Problem{Kind: NotABag, File: filepath.Base(f.Name()), Text: "the file is compressed with zstd more than once; once is read"})
		}
		return nil, problems, errors.Join(err, os.Remove(tmp))
	}
	s, _, more, err := openFile(ctx, tmp, limit)
	for i := range more {
		more[i].File = filepath.Base(f.Name())
	}
	problems = append(problems, more...)
	switch s := s.(type) {
	case *mcapFile: // it is open and needs no name
		s.c.compression = FileZstd
		return s, problems, errors.Join(err, os.Remove(tmp))
	case *sqliteFile:
		if s.c.compression == Uncompressed {
			s.c.compression = FileZstd
		}
		s.remove = tmp
		return s, problems, err
	}
	return nil, problems, errors.Join(err, os.Remove(tmp))
}
