//go:build fastdds

package process_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestLogsNotRead has the nodes log to a pipe that is full and that nobody reads, as when somebody has
// pressed Ctrl-S: the mission takes its samples all the same, and the nodes end when they are told to.
func TestLogsNotRead(t *testing.T) {
	r := newRobot(t, 40)
	r.unread = filepath.Join(r.dir, "log")
	r.must(syscall.Mkfifo(r.unread, 0o600))
	pipe, err := os.OpenFile(r.unread, os.O_RDWR, 0)
	r.must(err)
	defer pipe.Close()
	raw, err := pipe.SyscallConn()
	r.must(err)
	r.must(raw.Write(func(fd uintptr) bool { // it does not block
		for err == nil || err == syscall.EINTR {
			_, err = syscall.Write(int(fd), []byte("."))
		}
		return true
	}))
	if err != syscall.EAGAIN {
		t.Fatal(err)
	}
	o := r.observe()
	r.start()
	o.finish()
	o.standing()
	signalled := time.Now()
	for _, e := range executables {
		r.signal(e.node, syscall.SIGINT)
	}
	for _, e := range executables {
		o.ended(e.node, signalled)
	}
	r.check()
}
