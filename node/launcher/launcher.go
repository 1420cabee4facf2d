// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package launcher runs nodes as separate processes and ends them as ros2 launch does:
// with SIGINT, followed by SIGKILL for those that do not end.
package launcher

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// Executable describes the program of a node.
type Executable struct {
	Name string   // name of the node in errors
	Path string   // path of the program
	Args []string // arguments of the program
	Env  []string // added to this process's environment
	Log  io.Writer
}

// Process is a node that was started.
type Process struct {
	name string
	cmd  *exec.Cmd
	tail tail
	done chan struct{} // closed when it has ended
	err  error         // how it ended; valid after done
}

// Start starts a program. The process ends by itself, by Stop or by Kill.
func Start(e Executable) (*Process, error) {
	p := &Process{name: e.Name, cmd: exec.Command(e.Path, e.Args...), done: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), e.Env...)
	var log io.Writer = &p.tail
	if e.Log != nil {
		log = io.MultiWriter(e.Log, &p.tail)
	}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", e.Name, err)
	}
	go func() {
		if err := p.cmd.Wait(); err != nil {
			p.err = fmt.Errorf("%s ended: %w%s", p.name, err, p.tail.quoted())
		}
		close(p.done)
	}()
	return p, nil
}

// Name returns the name that Start was given.
func (p *Process) Name() string { return p.name }

// PID returns the operating system's number of the process.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done is closed when the process has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns an error that says how the process ended and quotes its last lines. It
// returns nil while the process runs and after an exit with 0.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// Kill ends the process at once, as a crash would, and waits until it has ended.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended by itself
	<-p.done
}

// Stop interrupts processes and waits until they have ended. It kills those that have not
// ended after patience. The error names the processes that were killed and those that did
// not exit with 0.
func Stop(patience time.Duration, processes ...*Process) error {
	for _, p := range processes {
		_ = p.cmd.Process.Signal(os.Interrupt) // it may have ended by itself
	}
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	late := false
	var errs []error
	for _, p := range processes {
		if !late {
			select {
			case <-p.done:
			case <-timeout.C:
				late = true
			}
		}
		select {
		case <-p.done:
			errs = append(errs, p.err)
		default:
			p.Kill()
			errs = append(errs, fmt.Errorf("%s did not end within %v of being interrupted and was killed%s", p.name, patience, p.tail.quoted()))
		}
	}
	return errors.Join(errs...)
}

// tailLines is the number of output lines that an error quotes.
const tailLines = 5

// tail keeps the last lines of a process's output.
type tail struct {
	mu    sync.Mutex
	lines []string
	open  []byte // the line that is not complete yet
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.open = append(t.open, b...)
	for {
		i := bytes.IndexByte(t.open, '\n')
		if i < 0 {
			return len(b), nil
		}
		t.lines = append(t.lines, string(t.open[:i]))
		t.lines = slices.Delete(t.lines, 0, max(0, len(t.lines)-tailLines))
		t.open = append(t.open[:0], t.open[i+1:]...)
	}
}

// quoted returns the lines kept, as the end of an error.
func (t *tail) quoted() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := t.lines
	if len(t.open) > 0 {
		lines = append(slices.Clone(lines), string(t.open))
	}
	if len(lines) == 0 {
		return ", without any output"
	}
	return "; its last lines:\n  " + strings.Join(lines, "\n  ")
}
