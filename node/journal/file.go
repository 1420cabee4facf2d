package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// file is what a journal needs of an *os.File.
type file interface {
	ReadAt(b []byte, offset int64) (int, error)
	WriteAt(b []byte, offset int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// ErrInUse is wrapped by the error of Open for a journal that another process
// writes.
var ErrInUse = errors.New("another explorer writes this mission")

// ErrClosed is returned by a journal that was closed.
var ErrClosed = errors.New("the journal is closed")

// Journal is a mission's journal on the disk, locked against other processes. Its
// methods may be called from any goroutine.
//
// A line that could not be written is cut off again. After an error nothing is
// written before [Journal.Retry] has succeeded, which writes and syncs again all
// that was not known to be on the disk: what a failed fsync leaves in the file is
// not to be relied upon.
type Journal struct {
	dir  string
	made []string // folders that were not there before, the innermost first

	syncing sync.Mutex // held by whoever syncs; taken before mu
	mu      sync.Mutex
	f       file
	number  int    // of the last line
	synced  int64  // size of what is on the disk for certain
	tail    []byte // what follows, as it is, or is to be, in the file
	err     error  // why nothing is written now
	closed  bool

	stop chan struct{} // of the goroutine that syncs
	done chan struct{}
}

// syncPeriod is after how long at most an entry given to Append is on the disk.
const syncPeriod = time.Second

// Open opens the journal of a mission's folder, which is made when it is missing,
// and returns what it holds; nil for one that has just been made or was never
// begun. What is torn off its end is cut off.
func Open(dir string) (*Journal, *State, error) {
	fail := func(err error) (*Journal, *State, error) {
		return nil, nil, fmt.Errorf("the journal of the mission in %s: %w", dir, err)
	}
	made := missing(dir)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fail(err)
	}
	f, err := os.OpenFile(filepath.Join(dir, FileName), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return fail(err)
	}
	j, state, err := open(dir, f)
	if err != nil {
		return fail(errors.Join(err, f.Close()))
	}
	j.made = made
	return j, state, nil
}

// missing returns the folders on the way to dir that are not there.
func missing(dir string) (made []string) {
	for {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			return made
		}
		made = append(made, dir)
		dir = filepath.Dir(dir)
	}
}

func open(dir string, f *os.File) (*Journal, *State, error) {
	if err := lock(f); err != nil {
		return nil, nil, err
	}
	data, err := os.ReadFile(f.Name())
	if err != nil {
		return nil, nil, err
	}
	state, whole, err := read(data)
	if err != nil {
		return nil, nil, err
	}
	j := &Journal{dir: dir, f: f, synced: int64(whole), stop: make(chan struct{}), done: make(chan struct{})}
	if state != nil {
		j.number = state.lines
	}
	if whole < len(data) {
		if err := f.Truncate(int64(whole)); err != nil {
			return nil, nil, err
		}
	}
	if whole > 0 { // the lines of a run that was killed may not have reached the disk yet
		if err := f.Sync(); err != nil {
			return nil, nil, err
		}
	}
	go j.syncLoop()
	return j, state, nil
}

// Start begins the journal anew, with nothing of what it held, and syncs it with
// its folder.
func (j *Journal) Start(entries ...any) error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return ErrClosed
	}
	var tail []byte
	var err error
	for i, e := range entries {
		if tail, err = appendLine(tail, i+1, e); err != nil {
			return err
		}
	}
	j.synced, j.tail, j.number = 0, tail, len(entries)
	j.err = errors.Join(j.rewrite(), syncDir(j.dir), syncDir(filepath.Dir(j.dir)))
	if j.err != nil {
		j.tail, j.number = nil, 0
		return errors.Join(j.err, j.f.Truncate(0))
	}
	return nil
}

// Commit writes an entry and returns nil when it is on the disk. After an error
// the entry is not in the journal.
func (j *Journal) Commit(entry any) error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if err := j.usable(); err != nil {
		return err
	}
	before := len(j.tail)
	if err := j.add(entry); err != nil {
		return err
	}
	err := j.write(before)
	if err == nil {
		err = j.f.Sync()
	}
	if err != nil {
		j.tail, j.number = j.tail[:before], j.number-1
		// Best effort: Retry does it again before anything is written.
		_ = j.f.Truncate(j.synced + int64(before))
		j.err = err
		return err
	}
	j.synced, j.tail = j.synced+int64(len(j.tail)), j.tail[:0]
	return nil
}

// Append writes an entry, which is on the disk within a second. After an error,
// which is that of an earlier one as well, it waits for Retry.
func (j *Journal) Append(entry any) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return ErrClosed
	}
	before := len(j.tail)
	if err := j.add(entry); err != nil {
		return err
	}
	if j.err == nil {
		j.err = j.write(before)
	}
	return j.err
}

// Err returns why nothing is written at present, nil when all is well.
func (j *Journal) Err() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.err
}

// Retry writes what an error has kept from the disk. All is well again when it
// returns nil.
func (j *Journal) Retry() error {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.closed {
		return ErrClosed
	}
	j.err = j.rewrite()
	return j.err
}

// Close syncs and closes the journal, and discards one that was never begun.
// Closing again does nothing.
func (j *Journal) Close() error {
	if !j.shut() {
		return nil
	}
	var err error
	if len(j.tail) > 0 {
		err = j.rewrite()
	}
	if j.synced == 0 && err == nil {
		err = j.remove()
	}
	return errors.Join(err, j.f.Close())
}

// Discard closes the journal and removes it, and its folder when Open has made it
// and nothing else is in it.
func (j *Journal) Discard() error {
	if !j.shut() {
		return nil
	}
	return errors.Join(j.remove(), j.f.Close())
}

// shut ends all writing. It is false when the journal was closed before.
func (j *Journal) shut() bool {
	j.mu.Lock()
	closed := j.closed
	j.closed = true
	j.mu.Unlock()
	if !closed {
		close(j.stop)
		<-j.done
	}
	return !closed
}

func (j *Journal) remove() error {
	err := os.Remove(filepath.Join(j.dir, FileName))
	for _, dir := range j.made {
		if os.Remove(dir) != nil { // it is not empty
			break
		}
	}
	return err
}

func (j *Journal) usable() error {
	if j.closed {
		return ErrClosed
	}
	return j.err
}

// add puts the line of an entry into the tail.
func (j *Journal) add(entry any) error {
	tail, err := appendLine(j.tail, j.number+1, entry)
	if err != nil {
		return err
	}
	j.tail, j.number = tail, j.number+1
	return nil
}

// write hands the tail from an offset in it on to the system.
func (j *Journal) write(from int) error {
	_, err := j.f.WriteAt(j.tail[from:], j.synced+int64(from))
	return err
}

// rewrite writes the whole tail again and syncs it.
func (j *Journal) rewrite() error {
	if err := j.f.Truncate(j.synced); err != nil {
		return err
	}
	if err := j.write(0); err != nil {
		return err
	}
	if err := j.f.Sync(); err != nil {
		return err
	}
	j.synced, j.tail = j.synced+int64(len(j.tail)), j.tail[:0]
	return nil
}

func (j *Journal) syncLoop() {
	defer close(j.done)
	t := time.NewTicker(syncPeriod)
	defer t.Stop()
	for {
		select {
		case <-j.stop:
			return
		case <-t.C:
			j.syncTail()
		}
	}
}

// syncTail syncs what was appended, while others may append more.
func (j *Journal) syncTail() {
	j.syncing.Lock()
	defer j.syncing.Unlock()
	j.mu.Lock()
	n, usable := len(j.tail), j.err == nil
	j.mu.Unlock()
	if n == 0 || !usable {
		return
	}
	err := j.f.Sync()
	j.mu.Lock()
	defer j.mu.Unlock()
	if err != nil {
		j.err = err
		return
	}
	j.synced, j.tail = j.synced+int64(n), append(j.tail[:0], j.tail[n:]...)
}

// syncDir flushes a folder's names to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
